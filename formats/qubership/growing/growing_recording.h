// A recording whose files are still written: what was read of them, and how that is read on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/qubership/found_files.h"
#include "formats/qubership/recording.h"
#include "formats/qubership/recording_load.h"
#include "ingest/build/load_filter.h"
#include "ingest/format/load_context.h"
#include "ingest/input/unpack/unpacker.h"
#include "ingest/os/file.h"

namespace cinderscope::qubership {

// Loader thread. What is complete in the files is read once and stays; what is cut off at the end
// of a stream's last file is read for each timeline anew, into copies that share all that is
// packed.
class GrowingRecording {
 public:
  // Null where there is no space for addresses, or where the files do not grow at their ends alone.
  static std::unique_ptr<GrowingRecording> create(const FoundFiles& found, double disk_share,
                                                  const LoadFilter& keep);

  Recording& recording() { return recording_; }
  TimelineBuilder& builder() { return *builder_; }
  void begin(ProcessId process) { load_.emplace(recording_, *builder_, process); }

  // The first time, for each of the files in order: one that was opened, with all its bytes, and
  // what was wrong with its packing. False once `go_on` said no.
  bool take(const FoundFiles& found, const FoundFile& file, std::span<const std::byte> bytes,
            std::uint64_t packed_bytes, const Diagnostics& damage, const GoOn& go_on);
  // Reads what has come since. False if that is not all that has happened, or `go_on` said no: then
  // this is of no use any more.
  bool read_on(const FoundFiles& found, const GoOn& go_on);
  // What the files hold so far, as reading all of them tells it; what records are described from
  // goes to `out`. An Error once cancelled.
  Result<Timeline> timeline(std::optional<Recording>& out, LoadContext& context) const;

  std::uint64_t packed_bytes() const;  // of all files, as far as they were read
  std::uint64_t kept_bytes() const;

 private:
  struct Edges {  // of the packed bytes that were read; tell whether they are still the same
    std::vector<std::byte> head, tail;
    bool operator==(const Edges&) const = default;
  };
  struct KnownFile {
    Stream stream{};
    std::uint32_t index = 0;
    std::string name;
    std::filesystem::path path;
    FileStatus status;  // its size is how far it was read
    Edges edges;
    Diagnostics damage;  // if it ends there
    // Where it was read on. Its content is first compared with what the store has of it.
    std::unique_ptr<Unpacker> unpacker;  // none once another file goes on behind it
    BlockLengths lengths;
    bool blocked = false;
    bool differs = false;  // from what the store has
    std::uint64_t content_bytes = 0, known_bytes = 0, compared_bytes = 0;
  };

  explicit GrowingRecording(StreamStore store) : recording_(std::move(store)) {}
  KnownFile& add_file(const FoundFiles& found, const FoundFile& file);
  using KnownFiles = std::vector<std::unique_ptr<KnownFile>>;
  using Place = std::pair<Stream, std::uint32_t>;  // stream and index
  KnownFiles::iterator behind(const Place& place);
  KnownFile* last_known(Stream stream);  // null if there is none
  // Both add what has come to the store.
  bool fetch(const FoundFiles& found, std::vector<const KnownFile*>& grown, const GoOn& go_on);
  bool fetch(KnownFile& file, std::uint64_t size_bytes, const GoOn& go_on);
  bool add(KnownFile& file, std::span<const std::byte> content);
  static Result<Edges> edges_of(const UniqueFd& file, std::uint64_t size_bytes);

  Recording recording_;
  LoadFilter keep_;  // before the builder, which uses it
  std::unique_ptr<TimelineBuilder> builder_ = std::make_unique<TimelineBuilder>();
  std::optional<RecordingLoad> load_;
  KnownFiles files_;  // by stream, then index
};

}  // namespace cinderscope::qubership
