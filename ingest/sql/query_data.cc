#include "ingest/sql/query_data.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/utf8.h"

namespace cinderscope {

namespace {

template <class Id>
std::optional<QueryData::Place<Id>> place_of(const std::vector<std::int64_t>& firsts,
                                             std::int64_t key) {
  if (key < 1 || key >= firsts.back()) return std::nullopt;
  const auto after = std::ranges::upper_bound(firsts, key);
  const auto input = static_cast<std::uint32_t>(after - firsts.begin() - 1);
  return QueryData::Place<Id>{input, Id{static_cast<std::uint32_t>(key - firsts[input])}};
}

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
}

}  // namespace

QueryData::QueryData(std::vector<QueryInput> inputs, QuerySettings settings)
    : inputs_(std::move(inputs)),
      settings_(std::move(settings)),
      jobs_(settings_.jobs == 0 ? core_count() : settings_.jobs) {
  first_trace_ = first_process_ = first_thread_ = first_track_ = first_name_ = {1};
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    const Timeline& of = timeline(i);
    sets_.push_back(slice_set_of(of));
    if (of.files.empty()) traces_.push_back({i, kNoFile});
    for (std::uint32_t file = 0; file < of.files.size(); ++file) traces_.push_back({i, file});
    const auto add = [](std::vector<std::int64_t>& firsts, std::uint64_t count) {
      firsts.push_back(firsts.back() + static_cast<std::int64_t>(count));
    };
    first_trace_.push_back(static_cast<std::int64_t>(traces_.size()) + 1);
    add(first_process_, of.processes.size());
    add(first_thread_, of.threads.size());
    add(first_track_, of.tracks.size());
    add(first_name_, of.strings->size());
    // One more for all names that come later: no slice of the timeline has them.
    texts_.emplace_back(static_cast<std::size_t>(first_name_[i + 1] - first_name_[i]) + 1);
    name_ranks_.emplace_back();
  }
  slice_numbers_ = SliceNumbers(sets_, SliceNumbers::Of::slices);
  instant_numbers_ = SliceNumbers(sets_, SliceNumbers::Of::instants);
}

std::int64_t QueryData::trace_key(std::uint32_t input, ProcessId process) const {
  const Timeline& of = timeline(input);
  const std::uint32_t file =
      index(process) < of.processes.size() ? of.processes[index(process)].file : kNoFile;
  return first_trace_[input] + (file < of.files.size() ? file : 0);
}

std::optional<QueryData::Place<ProcessId>> QueryData::process_of(std::int64_t key) const {
  return place_of<ProcessId>(first_process_, key);
}
std::optional<QueryData::Place<ThreadId>> QueryData::thread_of(std::int64_t key) const {
  return place_of<ThreadId>(first_thread_, key);
}
std::optional<QueryData::Place<TrackId>> QueryData::track_of(std::int64_t key) const {
  return place_of<TrackId>(first_track_, key);
}

void QueryData::rank_names(std::uint32_t input) const {
  if (stopped()) return;
  const Timeline& of = timeline(input);
  std::vector<std::uint32_t> order(
      static_cast<std::size_t>(first_name_[input + 1] - first_name_[input]));
  std::iota(order.begin(), order.end(), 0u);
  // A sort that stays within its bounds whatever it is told ends soon once the run is to.
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return !stopped() && of.text(StringId{a}) < of.text(StringId{b});
  });
  if (stopped()) return;
  std::vector<std::uint32_t>& ranks = name_ranks_[input];
  ranks.resize(order.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
}

std::string_view QueryData::text(std::uint32_t input, StringId name) const {
  std::vector<std::string_view>& texts = texts_[input];
  std::string_view& text = texts[std::min<std::size_t>(index(name), texts.size() - 1)];
  if (text.data() != nullptr) return text;
  text = timeline(input).text(name);
  if (text.data() == nullptr) text = "";
  if (is_ascii(text)) return text;
  std::string valid = valid_utf8(text);
  if (valid != text) text = mended_.emplace_back(std::move(valid));
  return text;
}

void QueryData::begin_run(Run run) {
  run_ = std::move(run);
  if (run_.looked_at == nullptr) run_.looked_at = std::make_shared<std::atomic<std::uint64_t>>(0);
  stop_ = false;
  {
    const std::lock_guard lock(failure_mutex_);
    failure_.clear();
  }
  groupings_.clear();
}

void QueryData::fail(std::string message) const {
  {
    const std::lock_guard lock(failure_mutex_);
    if (failure_.empty()) failure_ = std::move(message);
  }
  stop_ = true;
}

std::string QueryData::failure() const {
  const std::lock_guard lock(failure_mutex_);
  return failure_;
}

}  // namespace cinderscope
