// Several files on one timeline: where each of them is put, and a source made of their sources.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/load_queue.h"
#include "ingest/format.h"
#include "ingest/source_parts.h"

namespace cinderscope {

enum class Alignment : std::uint8_t {
  same_clock,  // times stay as they are
  by_offset,   // moved by what the user said
  starts,      // moved so that it begins where the first file begins
};

struct MergeOffset {
  Alignment how = Alignment::same_clock;
  std::int64_t ns = 0;  // of by_offset
  bool operator==(const MergeOffset&) const = default;
};

// "+12ms", "-3.5s", "1500" (nanoseconds), "start"; units ns, us, µs, ms, s, min, h.
std::optional<MergeOffset> merge_offset_from(std::string_view text);

struct MergeFile {
  std::string path;
  MergeOffset offset;
};

// "PATH OFFSET", or a path with blanks in it: what names a file is one. `separator` stands before
// the offset ('@' on the command line).
MergeFile merge_file_from(std::string_view text, char separator);

// "a.json + b.spall"; of more than three the first and a number.
std::string merged_title(const std::vector<MergeFile>& files);

// What became of one file.
struct MergedPart {
  std::string label;    // its name; with a number where an earlier file has the same
  std::string problem;  // why it was left out; empty: it is there
  MergeOffset offset;
  bool empty = true;           // there is nothing to draw
  bool threads_apart = false;  // each of its threads counts its own events
  std::int64_t shift_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;  // where it lies now
};

// How the files were aligned, in one line: "b.spall: taken to be on the same clock".
std::string alignment_text(const std::vector<MergedPart>& parts, TimeAxis axis);
// Which files taken for the same clock lie wholly before or after those before them; empty if none
// does, or all tell the time of day. "b.spall begins 56 years after a.json ends: their clocks may
// differ."
std::string clock_warning(const std::vector<MergedPart>& parts, TimeAxis axis);

// Which names each source takes of those that were asked for (null: a source that is not there). A
// file with names holds for the traces of its own folder; if there are none, for those that have no
// such file beside them; if there are none either, for all. The others take their own.
std::vector<NameOptions> names_of_each(const std::vector<std::shared_ptr<TraceSource>>& sources,
                                       const NameOptions& wanted);

// Opens the file or folder of that path; loader thread.
using PathOpener = std::function<Result<OpenedSource>(const std::string& path, LoadControl&)>;

// Reads one file after the other. One that cannot be read or has another kind of axis than the
// first is left out, which the diagnostics and parts() say.
class MergedSource final : public TraceSource, public StatementSource, public MemoryOwner {
 public:
  MergedSource(std::vector<MergeFile> files, PathOpener open);

  Result<Timeline> read(LoadControl& control) override;
  // Never asked: read() puts whole timelines together.
  Status load(TimelineBuilder& out, LoadControl& control) override;
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                       LoadControl& control) override;
  RecordText describe(Record record, Record end_record) const override;
  bool has_names_apart() const override;
  Result<Timeline> renamed(const Timeline& shown, const NameOptions& names,
                           LoadControl& control) override;
  bool has_statements() const override;
  std::vector<StatementTotal> statements(const std::atomic<bool>& cancelled) const override;
  const Input& input() const override { return input_; }  // empty: there is no one input
  std::uint64_t own_bytes() const override;
  Record record_end() const override;
  void stop() const override;
  Size size() const override;

  // After read().
  const std::vector<MergedPart>& parts() const { return parts_; }
  TimeAxis axis() const { return axis_; }

 private:
  struct Source {
    std::shared_ptr<TraceSource> source;  // null: left out
    Record first_record = 0, record_end = 0;
    std::int64_t shift_ns = 0;
    std::size_t first_track = 0, track_count = 0;  // of the timeline
    unsigned number = 0;                           // of those that are there, from 1
  };

  std::vector<NameOptions> names_of_each(const NameOptions& wanted) const;
  std::optional<Error> open_all(LoadControl& control);
  std::optional<Error> read_all(LoadControl& control, std::vector<Timeline>& timelines);
  void align(const std::vector<Timeline>& timelines);
  const Source* source_of(Record record) const;

  std::vector<MergeFile> files_;
  PathOpener open_;
  Input input_;
  TimeAxis axis_ = TimeAxis::nanoseconds;
  bool has_calls_on_disk_ = false;
  std::vector<MergedPart> parts_;
  std::vector<Source> sources_;  // by file
  mutable std::mutex mutex_;     // over stoppable_
  mutable bool stopped_ = false;
  std::vector<std::shared_ptr<TraceSource>> stoppable_;
};

}  // namespace cinderscope
