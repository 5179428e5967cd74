#include "formats/qubership/dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "formats/qubership/text/wire_text.h"

namespace cinderscope::qubership {
namespace {

// Of words that are not empty; going through so many costs less than reading one from the disk.
constexpr std::uint32_t kMostInRun = 64;
constexpr std::uint32_t kMostEmptyInRun = (std::uint32_t{1} << 31) - 1;

// Reads the words of a run one after the other.
class RunReader {
 public:
  RunReader(const StreamStore& store, std::uint64_t place)
      : file_(store.file_at(place)),
        in_(file_ == nullptr ? std::span<const std::byte>() : store.bytes(*file_),
            file_ == nullptr ? 0 : place - file_->begin) {}

  std::optional<WireText> next() {
    if (file_ == nullptr) return std::nullopt;
    if (file_->stream != Stream::dictionary) in_.varint32();
    const WireText text = in_.text();
    return in_.cut() ? std::nullopt : std::optional(text);
  }
  std::uint64_t place() const { return file_ == nullptr ? 0 : file_->begin + in_.at(); }

 private:
  const StreamFile* file_;
  WireCursor in_;
};

}  // namespace

bool Dictionary::add(const StreamStore& store, const StreamFile& file, ReadOn& from, AtEnd end,
                     Diagnostics& problems, const GoOn& go_on) {
  const bool has_ids = file.stream != Stream::dictionary;
  AskOnTheWay ask(go_on);
  bool begins_file = true;
  WireCursor in(store.bytes(file), from.at);
  while (!in.at_end()) {
    const std::uint64_t begin = in.at();
    const std::uint32_t id = has_ids ? in.varint32() : next_id_;
    const bool empty = in.text().units.empty();
    if (in.cut()) {
      if (end == AtEnd::more) break;
      report(problems, diagnostic::kTruncated, file, begin,
             "the file ends in the middle of a word.");
      break;
    }
    add_word(id, empty, file.begin + begin, std::exchange(begins_file, false));
    from.at = in.at();
    if (!has_ids) ++next_id_;
    if (runs_.size() >= tidy_at_) {
      keep_last(store);
      tidy_at_ = std::max(tidy_at_, 2 * runs_.size());
      begins_file = true;  // the newest run may be any of them now
    }
    if (!ask.at(in.at())) return false;
  }
  return true;
}

void Dictionary::add_word(std::uint32_t id, bool empty, std::uint64_t place, bool begins_file) {
  if (!begins_file && !runs_.empty()) {
    Run& last = runs_.back();
    const bool fits = last.count < (empty ? kMostEmptyInRun : kMostInRun);
    if (fits && last.end() == id && (last.empty != 0) == empty) {
      ++last.count;
      return;
    }
  }
  runs_.push_back({.place = place, .first = id, .count = 1, .empty = empty ? 1U : 0U});
}

void Dictionary::finish(const StreamStore& store) {
  keep_last(store);
  size_ = 0;
  for (const Run& run : runs_) size_ += run.count;
}

Dictionary::Run Dictionary::part_of(const StreamStore& store, const Run& run, std::uint64_t from,
                                    std::uint64_t to) {
  Run part = run;
  part.first = static_cast<std::uint32_t>(from);
  part.count = static_cast<std::uint32_t>(to - from) & kMostEmptyInRun;
  if (run.empty != 0 || from == run.first) return part;
  RunReader reader(store, run.place);
  for (std::uint64_t id = run.first; id < from; ++id) static_cast<void>(reader.next());
  part.place = reader.place();
  return part;
}

void Dictionary::keep_last(const StreamStore& store) {
  const auto follows = [](const Run& a, const Run& b) { return b.first < a.end(); };
  if (std::ranges::adjacent_find(runs_, follows) == runs_.end()) {
    runs_.shrink_to_fit();
    return;
  }
  std::vector<std::uint32_t> order(runs_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(runs_[i].first, i); });
  std::vector<Run> kept;
  std::priority_queue<std::uint32_t> reaching;  // runs with words from `at` on; the newest on top
  std::uint64_t at = 0;
  auto next = order.begin();
  while (true) {
    while (next != order.end() && runs_[*next].first <= at) reaching.push(*next++);
    while (!reaching.empty() && runs_[reaching.top()].end() <= at) reaching.pop();
    if (reaching.empty()) {
      if (next == order.end()) break;
      at = runs_[*next].first;
      continue;
    }
    // The newest counts up to its end, or to where a newer one begins.
    const std::uint32_t newest = reaching.top();
    std::uint64_t end = runs_[newest].end();
    while (next != order.end() && *next < newest && runs_[*next].first < end) {
      reaching.push(*next++);
    }
    if (next != order.end()) end = std::min<std::uint64_t>(end, runs_[*next].first);
    kept.push_back(part_of(store, runs_[newest], at, end));
    at = end;
  }
  kept.shrink_to_fit();
  runs_ = std::move(kept);
}

std::optional<WireText> Dictionary::word(const StreamStore& store, std::uint32_t id) const {
  const auto after = std::ranges::upper_bound(runs_, id, {}, &Run::first);
  if (after == runs_.begin()) return std::nullopt;
  const Run& run = *std::prev(after);
  if (id >= run.end()) return std::nullopt;
  if (run.empty != 0) return WireText{};
  RunReader reader(store, run.place);
  for (std::uint32_t i = run.first; i < id; ++i) static_cast<void>(reader.next());
  return reader.next();
}

std::string Dictionary::text(const StreamStore& store, std::uint32_t id) const {
  constexpr std::uint64_t kMostUnits = 16'384;
  const std::optional<WireText> found = word(store, id);
  if (!found) return fmt::format("#{}", id);
  if (found->units.empty()) return "(empty)";
  return utf8_of(*found, kMostUnits);
}

std::optional<std::uint32_t> Dictionary::find(const StreamStore& store,
                                              std::string_view ascii) const {
  for (const Run& run : runs_) {
    if (run.empty != 0) {
      if (ascii.empty()) return run.first;
      continue;
    }
    RunReader reader(store, run.place);
    for (std::uint64_t id = run.first; id < run.end(); ++id) {
      const std::optional<WireText> text = reader.next();
      if (text && equals(*text, ascii)) return static_cast<std::uint32_t>(id);
    }
  }
  return std::nullopt;
}

}  // namespace cinderscope::qubership
