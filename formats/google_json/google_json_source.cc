#include "formats/google_json/google_json_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "formats/google_json/describe_event.h"
#include "formats/google_json/text/plain_category.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/utf16.h"
#include "ingest/base/utf8.h"

namespace cinderscope::google_json {
namespace {

// Of one event: at first, and at most; its args are shown cut anyway.
constexpr std::uint64_t kUsualBytes = 64u << 10, kDescribeBytes = 16u << 20;

std::string_view whole_event(std::string_view text) {
  return text.substr(0, json::skip_value(text, 0));
}

}  // namespace

Status GoogleJsonSource::convert() {
  const std::string_view head = text_of_bytes(input_.head());
  if (!head.starts_with("\xff\xfe") && !head.starts_with("\xfe\xff")) return ok();
  const Result<Pin> all = input_.pin_all();
  if (!all) return all.error();
  const std::string text = *utf8_from_utf16(all->text());
  const auto bytes = std::as_bytes(std::span(text));
  converted_ = Input::from_memory(std::string(input_.name()), {bytes.begin(), bytes.end()});
  return ok();
}

Status GoogleJsonSource::load(TimelineBuilder& out, LoadContext& context) {
  if (out.replaying()) return TraceLoader(text(), out, context, frames_).replay(arrays_, clock_);
  if (const Status converted = convert(); !converted) return converted.error();
  TraceLoader loader(text(), out, context, frames_);
  Status status = loader.load();
  text().let_go(UINT64_MAX);
  phase_counts_ = loader.phase_counts();
  arrays_ = loader.arrays();
  windows_ = loader.windows();
  clock_ = loader.clock();
  profiles_ = loader.take_profiles();
  sample_lists_ = loader.sample_lists();
  knows_ends_ = context.options().for_writing || (!loader.has_profiles() && has_no_ends());
  return status;
}

void GoogleJsonSource::save(FieldWriter& out) const {
  frames_.save(out);
  for (const std::uint64_t count : phase_counts_) out.add(count);
  out.add(std::uint64_t{arrays_.size()});
  for (const TraceLoader::EventArray& array : arrays_) {
    out.add(array.begin);
    out.add(array.bracketed);
    out.add(array.end);
    out.add(array.stop);
  }
  out.add(std::uint64_t{windows_.size()});
  for (const TraceLoader::EventWindow& window : windows_) {
    out.add(window.begin);
    out.add(window.end);
    out.add(window.first_ns);
    out.add(window.last_ns);
    out.add(window.has_counters);
    out.add(window.has_others);
  }
  out.add(clock_.begin);
  out.add(clock_.are_events);
  out.add(std::uint64_t{sample_lists_.size()});
  for (const TextRange& range : sample_lists_) {
    out.add(range.begin);
    out.add(range.end);
  }
  out.add(knows_ends_);
}

bool GoogleJsonSource::restore(FieldReader& in, const std::shared_ptr<const StringPool>&) {
  if (!convert()) return false;
  if (!frames_.restore(in)) return false;
  for (std::uint64_t& count : phase_counts_) count = in.take<std::uint64_t>();
  const std::uint64_t end = in.ok() ? text().size_bytes() : 0;
  arrays_.resize(in.take_count(18));
  for (TraceLoader::EventArray& array : arrays_) {
    array.begin = in.take<std::uint64_t>();
    array.bracketed = in.take<bool>();
    array.end = in.take<std::uint64_t>();
    array.stop = in.take_enum(WindowEnd::no_memory);
    if (array.begin > array.end || array.end > end) in.fail();
  }
  windows_.resize(in.take_count(34));
  for (TraceLoader::EventWindow& window : windows_) {
    window.begin = in.take<std::uint64_t>();
    window.end = in.take<std::uint64_t>();
    window.first_ns = in.take<std::int64_t>();
    window.last_ns = in.take<std::int64_t>();
    window.has_counters = in.take<bool>();
    window.has_others = in.take<bool>();
    if (window.begin > window.end || window.end > end) in.fail();
  }
  clock_.begin = in.take<std::int64_t>();
  clock_.are_events = in.take<bool>();
  sample_lists_.resize(in.take_count(16));
  for (TextRange& range : sample_lists_) {
    range.begin = in.take<std::uint64_t>();
    range.end = in.take<std::uint64_t>();
    if (range.begin > range.end || range.end > end) in.fail();
  }
  knows_ends_ = in.take<bool>();
  return in.done();
}

RecordText GoogleJsonSource::read_record(RecordOffset record, RecordOffset end_record) const {
  const Pin begin = event_bytes(record), end = event_bytes(end_record);
  return describe_event(whole_event(begin.text()), whole_event(end.text()), frames_, clock_);
}

void GoogleJsonSource::read_categories(std::span<const RecordEnds> records,
                                       std::span<std::string> categories) const {
  constexpr std::uint64_t kStretchBytes = 64u << 10, kMostPlainBytes = 4096;
  Pin pin;  // most records follow each other
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordOffset record = records[i].record;
    categories[i].clear();
    if (record == kNoRecord) continue;
    if (record < pin.begin() || record + kMostPlainBytes > pin.end()) {
      const std::uint64_t there = text().wait_for(record + kStretchBytes);
      if (record >= there) continue;
      Result<Pin> stretch = text().pin(record, std::min(kStretchBytes, there - record));
      pin = stretch ? std::move(*stretch) : Pin();
    }
    if (pin.end() > record) {
      const auto at = static_cast<std::size_t>(record - pin.begin());
      if (const auto category = plain_category(pin.text().substr(at, kMostPlainBytes))) {
        categories[i] = category_text(*category);
        continue;
      }
    }
    categories[i] = category_of_event(event_bytes(record).text());
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
  // Most events are short, and what follows one may have to be unpacked.
  for (std::uint64_t wanted = kUsualBytes;; wanted = std::min(wanted * 16, kDescribeBytes)) {
    const std::uint64_t there = text().wait_for(record + wanted);
    if (record >= there) return {};
    Result<Pin> pin = text().pin(record, std::min(wanted, there - record));
    if (!pin) return {};
    if (pin->size() < wanted || wanted == kDescribeBytes) return std::move(*pin);
    if (json::skip_value(pin->text(), 0) < pin->size()) return std::move(*pin);
  }
}

}  // namespace cinderscope::google_json
