#include "ingest/part/loss_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/grouped_text.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope {
namespace {

LossReport::Lost& entry_of(std::vector<LossReport::Lost>& list, const LossKind& kind) {
  const auto found = std::ranges::find_if(
      list, [&](const LossReport::Lost& entry) { return entry.kind.word == kind.word; });
  if (found != list.end()) return *found;
  list.push_back({.kind = kind});
  return list.back();
}

std::string counted(const LossReport::Lost& entry) {
  return fmt::format("{} {}", grouped(entry.count),
                     entry.count == 1 ? entry.kind.singular : entry.kind.plural);
}

}  // namespace

void LossReport::count(const LossKind& kind, std::uint64_t count, RecordOffset offset) {
  if (count == 0) return;
  Lost& entry = entry_of(lost_, kind);
  entry.count += count;
  entry.first_offset = std::min(entry.first_offset, offset);
}

void LossReport::count_written(const LossKind& kind, std::uint64_t count) {
  if (count > 0) entry_of(written_, kind).count += count;
}

void LossReport::remark(std::string_view text) {
  if (std::ranges::find(remarks_, text) == remarks_.end()) remarks_.emplace_back(text);
}

void LossReport::add(const LossReport& more) {
  slices_ += more.slices_;
  cut_slices_ += more.cut_slices_;
  for (const Lost& entry : more.written_) count_written(entry.kind, entry.count);
  for (const std::string& text : more.remarks_) remark(text);
  for (const Lost& entry : more.lost_) count(entry.kind, entry.count, entry.first_offset);
}

std::string LossReport::sentence(std::string_view file_name) const {
  std::string text =
      fmt::format("{} {} written.", grouped(slices_), slices_ == 1 ? "slice" : "slices");
  if (!lost_.empty()) text += ' ' + lost_sentence(file_name);
  return text;
}

std::string LossReport::lost_sentence(std::string_view file_name) const {
  if (lost_.empty()) return {};
  std::string missing, others;
  for (const Lost& entry : lost_) {
    if (entry.kind.sentence.empty()) {
      missing += (missing.empty() ? "" : ", ") + counted(entry);
    } else {
      others += (others.empty() ? "" : "; ") +
                fmt::format(fmt::runtime(entry.kind.sentence), counted(entry));
    }
  }
  if (missing.empty()) return fmt::format("In {}: {}.", file_name, others);
  std::string text = fmt::format("Not in {}: {}", file_name, missing);
  if (!others.empty()) text += "; " + others;
  return text + '.';
}

void LossReport::write_json(JsonWriter& out) const {
  out.begin_object();
  out.key("written").begin_object();
  out.field("slices", slices_);
  for (const Lost& entry : written_) out.field(entry.kind.word, entry.count);
  out.end_object();
  out.key("lost").begin_array();
  for (const Lost& entry : lost_) {
    out.begin_object().field("kind", entry.kind.word).field("count", entry.count);
    out.key("first_offset");
    if (entry.first_offset == kNoRecord) {
      out.null();
    } else {
      out.number(entry.first_offset);
    }
    out.end_object();
  }
  out.end_array();
  out.field("cut_slices", cut_slices_);
  out.end_object();
}

}  // namespace cinderscope
