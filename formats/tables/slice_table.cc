// Writes the table `slice` of a trace as CSV, TSV or JSON lines.
#include <span>
#include <string>

#include "ingest/format/trace_source.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/slice_rows.h"
#include "ingest/part/table_text.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope {
namespace {

constexpr LossKind kTableArguments{"arguments", "the arguments", "the arguments"};

std::vector<TextColumn> columns() {
  std::vector<TextColumn> all;
  for (const char* key :
       {"slice_id", "trace_id", "track_id", "thread_id", "process_id", "ts", "dur", "ts_end",
        "self_dur", "depth", "parent_slice_id", "name_id", "name", "category", "unfinished",
        "overlapping", "cut_begin", "cut_end"}) {
    all.push_back({.key = key});
  }
  return all;
}

void write_row(const SliceTableRow& row, TableWriter& out) {
  const auto id = [&out](std::uint64_t number) { number == 0 ? out.null() : out.count(number); };
  const auto flag = [&out](bool set) { out.count(set ? 1 : 0); };
  id(row.slice_id);
  out.count(1);  // the one trace
  id(row.track_id);
  id(row.thread_id);
  id(row.process_id);
  out.number(row.ts);
  out.number(row.dur);
  out.number(row.ts_end());
  out.number(row.self_dur);
  out.count(row.depth);
  id(row.parent_slice_id);
  id(row.name_id);
  out.text(row.name);
  row.category.empty() ? out.null() : out.text(row.category);
  flag(row.unfinished);
  flag(row.overlapping);
  flag(row.cut_begin);
  flag(row.cut_end);
}

void count_losses(const PartReader& part, LossReport& losses) {
  count_all_but_slices(part, losses);
  for (const PartTrack& track : part.tracks()) {
    if (track.kind == TrackKind::samples) part.count_lost(loss::kSamples, track, losses);
  }
  const bool has_args = part.source() != nullptr && part.source()->has_args();
  if (has_args && part.options().args) losses.count(kTableArguments);
}

class SliceTable final : public TraceWriter {
 public:
  SliceTable(TableText form, std::string_view name, std::string_view ending,
             std::string_view description)
      : form_(form), name_(name), ending_(ending), description_(description) {}

  std::string_view name() const override { return name_; }
  std::string_view description() const override { return description_; }
  std::string_view ending() const override { return ending_; }
  bool can_pack() const override { return true; }
  bool takes_merged() const override { return false; }

  Status write(PartReader& part, Output& out, LossReport& losses) const override {
    const Result<OutputFile*> opened = out.file();
    if (!opened) return opened.error();
    OutputFile& file = **opened;
    count_losses(part, losses);
    std::string head;
    TableWriter(head, {.text = form_}, columns()).head();
    file.append(head);
    SliceRows rows(
        part,
        [form = form_](std::span<const SliceTableRow> some, std::string& text) {
          TableWriter table(text, {.text = form}, columns());
          for (const SliceTableRow& row : some) write_row(row, table);
        },
        [&](std::span<const SliceTableRow> some, std::string_view text) {
          for (const SliceTableRow& row : some) {
            losses.count_written_slice(row.cut_begin || row.cut_end);
          }
          file.append(text);
          return file.ok();
        });
    for (const PartTrack& track : part.tracks()) {
      if (track.kind != TrackKind::thread) continue;
      const Result<bool> read = rows.read(track);
      if (!read) return read.error();
      if (!*read && file.ok()) {
        return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
      }
    }
    return ok();
  }
  void foresee(PartReader& part, LossReport& losses) const override { count_losses(part, losses); }

 private:
  TableText form_;
  std::string_view name_, ending_, description_;
};

}  // namespace

const TraceWriter& csv_writer() {
  static const SliceTable writer(TableText::csv, "csv", ".csv", "CSV");
  return writer;
}

const TraceWriter& tsv_writer() {
  static const SliceTable writer(TableText::tsv, "tsv", ".tsv", "TSV");
  return writer;
}

const TraceWriter& jsonl_writer() {
  static const SliceTable writer(TableText::json_lines, "jsonl", ".jsonl", "JSON lines");
  return writer;
}

}  // namespace cinderscope
