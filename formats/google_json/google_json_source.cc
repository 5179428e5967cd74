#include "formats/google_json/google_json_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "formats/google_json/describe_event.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/utf16.h"

namespace cinderscope::google_json {
namespace {

constexpr std::uint64_t kDescribeBytes = 16u << 20;  // of one event; its args are shown cut anyway

std::string_view text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view whole_event(std::string_view text) {
  return text.substr(0, json::skip_value(text, 0));
}

}  // namespace

Status GoogleJsonSource::load(TimelineBuilder& out, LoadContext& context) {
  if (out.replaying()) return TraceLoader(text(), out, context, frames_).replay(arrays_, clock_);
  const std::string_view head = text_of_bytes(input_.head());
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
    const Result<Pin> all = input_.pin_all();
    if (!all) return all.error();
    const std::string text = *utf8_from_utf16(all->text());
    const auto bytes = std::as_bytes(std::span(text));
    converted_ = Input::from_memory(std::string(input_.name()), {bytes.begin(), bytes.end()});
  }
  TraceLoader loader(text(), out, context, frames_);
  Status status = loader.load();
  phase_counts_ = loader.phase_counts();
  arrays_ = loader.arrays();
  windows_ = loader.windows();
  clock_ = loader.clock();
  profiles_ = loader.take_profiles();
  sample_lists_ = loader.sample_lists();
  knows_ends_ = context.options().for_writing || (!loader.has_profiles() && has_no_ends());
  return status;
}

RecordText GoogleJsonSource::read_record(RecordOffset record, RecordOffset end_record) const {
  const Pin begin = event_bytes(record), end = event_bytes(end_record);
  return describe_event(whole_event(begin.text()), whole_event(end.text()), frames_, clock_);
}

void GoogleJsonSource::read_categories(std::span<const RecordEnds> records,
                                       std::span<std::string> categories) const {
  for (std::size_t i = 0; i < records.size(); ++i) {
    categories[i] = category_of_event(event_bytes(records[i].record).text());
  }
}

std::vector<std::pair<std::string, std::string>> GoogleJsonSource::details() const {
  std::string phases;
  for (std::size_t i = 0; i < phase_counts_.size(); ++i) {
    if (phase_counts_[i] == 0) continue;
    const bool plain = i >= 0x20 && i < 0x7f && i != '"' && i != '\\';
    phases += fmt::format("{}\"{}\":{}", phases.empty() ? "" : ",",
                          plain ? std::string(1, static_cast<char>(i)) : fmt::format("byte {}", i),
                          phase_counts_[i]);
  }
  return {{"phases", "{" + phases + "}"}};
}

// Nor steps and snapshots, which may take the place of one.
bool GoogleJsonSource::has_no_ends() const {
  return std::ranges::all_of(std::string_view("EeFDTpnOP"), [&](char phase) {
    return phase_counts_[static_cast<unsigned char>(phase)] == 0;
  });
}

// The event and what follows it.
Pin GoogleJsonSource::event_bytes(RecordOffset record) const {
  if (record == kNoRecord) return {};
  const std::uint64_t there = text().wait_for(record + kDescribeBytes);
  if (record >= there) return {};
  Result<Pin> pin = text().pin(record, std::min(kDescribeBytes, there - record));
  return pin ? std::move(*pin) : Pin();
}

}  // namespace cinderscope::google_json
