// The tables trace, process, thread, track, diagnostic: what slices hang on.
#include <algorithm>
#include <cmath>

#include "ingest/base/time_zone.h"
#include "ingest/sql/tables/all_tables.h"
#include "ingest/sql/tables/track_words.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

void give_name(const QueryData& data, std::uint32_t input, StringId name, sqlite3_context* out) {
  if (name == kEmptyString) return sqlite3_result_null(out);
  give_lasting_text(out, data.text(input, name));
}

void give_sort_order(double order, sqlite3_context* out) {
  if (order == std::floor(order) && std::abs(order) < 1e15) {
    return sqlite3_result_int64(out, static_cast<sqlite3_int64>(order));
  }
  sqlite3_result_double(out, order);
}

std::uint64_t slices_on(const QueryData& data, std::uint32_t input, TrackId track) {
  std::uint64_t count = 0;
  for (const NumberedRow& row : data.slice_numbers().rows_of(input, track)) count += row.count();
  return count;
}

class Traces final : public RowList {
 public:
  explicit Traces(const QueryData& data) : data_(data) {}

  std::int64_t count() const override { return static_cast<std::int64_t>(data_.traces().size()); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const QueryTrace& trace = data_.traces()[static_cast<std::size_t>(row)];
    const QueryInput& input = data_.inputs()[trace.input];
    const Timeline& timeline = *input.timeline;
    const TimelineFile* file =
        trace.file < timeline.files.size() ? &timeline.files[trace.file] : nullptr;
    const bool of_time = timeline.axis == TimeAxis::nanoseconds;
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return give_text(out, file == nullptr ? input.name : file->name);
      case 2:
        return give_text(out, file == nullptr ? input.path : file->path);
      case 3:
        return give_text(out, input.format);
      case 4:
      case 5:
        return give_lasting_text(out, of_time ? "ns" : "events");
      case 6:
        return sqlite3_result_int(out, 1);
      case 7:
        return give_lasting_text(out, !of_time                              ? "none"
                                      : counts_from_1970(timeline.begin_ns) ? "day"
                                                                            : "file");
      case 8:
      case 9: {
        std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
        for_tracks(row, [&](std::uint32_t, const Track& track, TrackId) {
          begin_ns = std::min(begin_ns, track.begin_ns);
          end_ns = std::max(end_ns, track.end_ns);
        });
        if (begin_ns > end_ns) return sqlite3_result_null(out);
        return sqlite3_result_int64(out, column == 8 ? begin_ns : end_ns);
      }
      case 10:
      case 11: {
        std::uint64_t count = 0;
        for_tracks(row, [&](std::uint32_t of, const Track& track, TrackId id) {
          if (column == 11) count += track.instants.count();
          if (column == 10 && track.kind == TrackKind::thread) count += slices_on(data_, of, id);
        });
        return give(out, count);
      }
      case 12:
        return sqlite3_result_int(out, input.lazy ? 1 : 0);
      default:
        return sqlite3_result_int(out,
                                  timeline.complete && !timeline.diagnostics.ends_early() ? 1 : 0);
    }
  }

 private:
  template <class Visit>
  void for_tracks(std::int64_t row, Visit visit) const {
    const std::uint32_t input = data_.traces()[static_cast<std::size_t>(row)].input;
    const std::vector<Track>& tracks = data_.timeline(input).tracks;
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      if (data_.trace_key(input, TrackId{i}) == row + 1) visit(input, tracks[i], TrackId{i});
    }
  }

  const QueryData& data_;
};

class Processes final : public RowList {
 public:
  explicit Processes(const QueryData& data) : data_(data) {}

  std::int64_t count() const override { return data_.process_count(); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const auto [input, id] = *data_.process_of(row + 1);
    const Process& process = data_.timeline(input).processes[index(id)];
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return sqlite3_result_int64(out, data_.trace_key(input, id));
      case 2:
        return give_lasting_text(out, data_.text(input, process.pid));
      case 3:
        return give_name(data_, input, process.name, out);
      case 4:
        return give_name(data_, input, process.labels, out);
      case 5:
        if (process.first_ns == INT64_MAX) return sqlite3_result_null(out);
        return sqlite3_result_int64(out, process.first_ns);
      default:
        return give_sort_order(process.sort_index, out);
    }
  }

 private:
  const QueryData& data_;
};

class Threads final : public RowList {
 public:
  explicit Threads(const QueryData& data) : data_(data) {}

  std::int64_t count() const override { return data_.thread_count(); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const auto [input, id] = *data_.thread_of(row + 1);
    const Thread& thread = data_.timeline(input).threads[index(id)];
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return sqlite3_result_int64(out, data_.trace_key(input, thread.process));
      case 2:
        return give_key(out, data_.process_key(input, thread.process));
      case 3:
        return give_key(out, data_.track_key(input, thread.track));
      case 4:
        return give_lasting_text(out, data_.text(input, thread.tid));
      case 5:
        return give_name(data_, input, thread.name, out);
      default:
        return give_sort_order(thread.sort_index, out);
    }
  }

 private:
  const QueryData& data_;
};

class Tracks final : public RowList {
 public:
  explicit Tracks(const QueryData& data) : data_(data) {}

  std::int64_t count() const override { return data_.track_count(); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const auto [input, id] = *data_.track_of(row + 1);
    const Track& track = data_.timeline(input).tracks[index(id)];
    const bool has_times = track.begin_ns <= track.end_ns;
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return sqlite3_result_int64(out, data_.trace_key(input, id));
      case 2:
        return give_lasting_text(out, kind_word(track.kind));
      case 3:
        return give_key(out, data_.process_key(input, track.process));
      case 4:
        return give_key(out, data_.thread_key(input, track.thread));
      case 5:
        return give_name(data_, input, track.name, out);
      case 6:
        return sqlite3_result_int64(out, track.depth);
      case 7:
        return give(out, slices_on(data_, input, id));
      default:
        if (!has_times) return sqlite3_result_null(out);
        return sqlite3_result_int64(out, column == 8 ? track.begin_ns : track.end_ns);
    }
  }

 private:
  const QueryData& data_;
};

// Of a timeline of several files they are told together, under its first trace.
class DiagnosticRows final : public RowList {
 public:
  explicit DiagnosticRows(const QueryData& data) {
    std::uint32_t last_input = kNoFile;
    for (std::size_t i = 0; i < data.traces().size(); ++i) {
      const std::uint32_t input = data.traces()[i].input;
      if (input == last_input) continue;
      last_input = input;
      for (const auto& [code, diagnostic] : data.timeline(input).diagnostics.by_code()) {
        rows_.push_back({static_cast<std::int64_t>(i) + 1, &code, &diagnostic});
      }
    }
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(rows_.size()); }
  void cell(std::int64_t at, int column, sqlite3_context* out) const override {
    const Row& row = rows_[static_cast<std::size_t>(at)];
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row.trace);
      case 1:
        return give_text(out, *row.code);
      case 2:
        return give_lasting_text(out, severity_name(row.diagnostic->severity));
      case 3:
        return give(out, row.diagnostic->count);
      case 4:
        if (row.diagnostic->first_offset == kNoOffset) return sqlite3_result_null(out);
        return sqlite3_result_int64(out, row.diagnostic->first_offset);
      default:
        return give_text(out, row.diagnostic->text);
    }
  }

 private:
  struct Row {
    std::int64_t trace;
    const std::string* code;
    const Diagnostic* diagnostic;
  };
  std::vector<Row> rows_;
};

}  // namespace

const TableEntry& trace_table() {
  static const TableEntry entry = {
      .name = "trace",
      .help = "The files that are asked",
      .columns = {{"trace_id", integer},
                  {"trace_name", text, "The file's name without folders"},
                  {"path", text},
                  {"format", text},
                  {"axis", text, "ns or events"},
                  {"unit", text, "What numbers of the axis count"},
                  {"scale", integer, "Of the axis' numbers: 1"},
                  {"clock", text, "day: times of day are known; file: a clock of its own; none"},
                  {"begin_ts", time, "Of everything that is drawn"},
                  {"end_ts", time},
                  {"slices", integer, "Calls of threads"},
                  {"instants", integer},
                  {"lazy", integer, "1: only a part is read"},
                  {"complete", integer, "0: still loading, or cut"}},
      .make = make_listed<Traces, true>,
      .row_count = [](const QueryData& data) {
        return static_cast<std::int64_t>(data.traces().size());
      }};
  return entry;
}

const TableEntry& process_table() {
  static const TableEntry entry = {
      .name = "process",
      .help = "Processes",
      .columns = {{"process_id", integer},
                  {"trace_id", integer},
                  {"pid", text, "As in the file"},
                  {"process_name", text},
                  {"labels", text},
                  {"first_ts", time, "The first of anything that is drawn"},
                  {"sort_order", any, "The file's own order"}},
      .make = make_listed<Processes, true>,
      .row_count = [](const QueryData& data) { return data.process_count(); }};
  return entry;
}

const TableEntry& thread_table() {
  static const TableEntry entry = {
      .name = "thread",
      .help = "Threads",
      .columns = {{"thread_id", integer},
                  {"trace_id", integer},
                  {"process_id", integer},
                  {"track_id", integer, "The track of its calls; NULL: it has none"},
                  {"tid", text, "As in the file"},
                  {"thread_name", text},
                  {"sort_order", any, "The file's own order"}},
      .make = make_listed<Threads, true>,
      .row_count = [](const QueryData& data) { return data.thread_count(); }};
  return entry;
}

const TableEntry& track_table() {
  static const TableEntry entry = {
      .name = "track",
      .help = "Tracks: what slices, instants and counters lie on",
      .columns = {{"track_id", integer},
                  {"trace_id", integer},
                  {"kind", text, "thread, async, samples, counter, calls, object, marks"},
                  {"process_id", integer},
                  {"thread_id", integer},
                  {"track_name", text, "Of tracks that are not a thread's own"},
                  {"max_depth", integer},
                  {"slices", integer},
                  {"begin_ts", time},
                  {"end_ts", time}},
      .make = make_listed<Tracks, true>,
      .row_count = [](const QueryData& data) { return data.track_count(); }};
  return entry;
}

const TableEntry& diagnostic_table() {
  static const TableEntry entry = {
      .name = "diagnostic",
      .help = "What is odd or wrong about the files, by kind",
      .columns = {{"trace_id", integer},
                  {"code", text},
                  {"severity", text, "harmless, odd, damage, lost"},
                  {"count", integer},
                  {"first_offset", integer, "Byte of the first case"},
                  {"text", text}},
      .make = make_listed<DiagnosticRows, false>,
      .row_count = [](const QueryData& data) { return DiagnosticRows(data).count(); }};
  return entry;
}

}  // namespace cinderscope
