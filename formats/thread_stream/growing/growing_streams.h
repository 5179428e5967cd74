// A file that a program still writes: what was read of it for good, and how that is read on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "formats/thread_stream/recording.h"
#include "formats/thread_stream/stream_load.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/os/file.h"

namespace cinderscope::thread_stream {

// Loader thread. Records behind which others are, whose sites are described and whose times no
// further clock sample moves are read once and stay; the rest is read for each timeline anew, into
// copies that share all that is packed. Tables are read whole each time: they are small.
class GrowingStreams {
 public:
  // Null where the file is of a kind that is not read on.
  static std::unique_ptr<GrowingStreams> create(const Recording& recording,
                                                const LoadContext& context);

  // Takes what is there to stay. False if what was read before has changed, or `context` ended it:
  // then this is of no use any more.
  bool take(const Input& input, const Recording& recording, const Names& names,
            const TickClock& clock, const std::vector<StringId>& near_sites, LoadContext& context);

  // Has all that was taken, and goes on by itself.
  std::unique_ptr<TimelineBuilder> fork() const { return builder_->fork(); }
  TimelineBuilder& builder() { return *builder_; }
  const std::map<std::uint32_t, StreamLoad>& streams() const { return streams_; }

 private:
  explicit GrowingStreams(const LoadFilter& keep) : keep_(keep) {}
  bool is_same_file(const Recording& recording, const Names& names, const LoadContext& context);
  bool has_same_tables(const Tables& tables) const;
  void remember(const Recording& recording, const Names& names, const LoadContext& context);
  bool go_on(const Recording& recording, const StreamSurroundings& around);
  bool read(LoadContext& context, const TickClock::Settled& clock);

  // What the tables said that what was read depends on.
  struct Known {
    std::vector<Chunk> chunks;
    std::vector<ClockSample> clock;
    std::map<std::uint32_t, std::uint64_t> tids;  // by stream
    std::vector<std::size_t> segments;            // of each snapshot
    std::size_t symbols = 0, managed = 0;
    std::uint64_t redefined = 0;
    std::string axis;
    SymbolOptions names;
    std::string names_path;
    std::optional<FileStatus> names_status;
  };

  LoadFilter keep_;
  std::unique_ptr<TimelineBuilder> builder_;
  std::optional<StreamSurroundings> around_;
  std::map<std::uint32_t, StreamLoad> streams_;  // by number
  std::optional<Known> known_;
};

// Chunks with records, by stream, in the order of their sequence; streams without any that are
// described are there, too.
std::map<std::uint32_t, std::vector<std::uint32_t>> chunks_by_stream(const Recording& recording);
// A thread for each stream, in order of their numbers: the same ids for the same streams.
ThreadId thread_of_stream(std::uint32_t stream, const Tables& tables, ProcessId process,
                          std::map<std::uint64_t, std::uint32_t>& used_tids, TimelineBuilder& out);
ProcessId process_of(const Recording& recording, TimelineBuilder& out);

}  // namespace cinderscope::thread_stream
