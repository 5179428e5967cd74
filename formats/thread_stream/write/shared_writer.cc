// What belongs to no thread: collected from all tracks of a process, then written in time order.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/thread_stream/write/argument_writer.h"
#include "formats/thread_stream/write/process_writer.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::thread_stream {
namespace {

// Some 64 bytes each; there are far fewer of these than of calls.
struct Event {
  std::int64_t time = 0;
  std::uint32_t name = 0;      // in names_
  std::uint16_t kind = 0;      // kCounter, kAsyncBegin, kAsyncEnd
  std::uint64_t value = 0;     // of a counter; of an end the number of its begin
  std::uint64_t group = 0;     // of a begin: its chain, from 1
  std::size_t cut = SIZE_MAX;  // of a begin: in cuts_
  RecordOffset record = kNoRecord, end_record = kNoRecord;
};

class SharedEvents final : public PartVisitor {
 public:
  SharedEvents(StreamFile& file, std::size_t process) : file_(file), process_(process) {}

  Status read() {
    for (const PartTrack& track : file_.part.tracks()) {
      if (track.process != process_) continue;
      const bool wanted = track.kind == TrackKind::counter || track.kind == TrackKind::async ||
                          track.kind == TrackKind::calls;
      if (!wanted) continue;
      track_ = &track;
      chains_.clear();
      const Result<bool> whole = file_.part.read(track, *this);
      if (!whole) return whole.error();
      if (!*whole) return cancelled_error();
      end_before(INT64_MAX);
    }
    for (const PartPause& pause : file_.part.pauses(file_.part.processes()[process_])) {
      const std::uint32_t name = name_of("pauses");
      events_.push_back({.time = pause.begin_ns,
                         .name = name,
                         .kind = kind::kAsyncBegin,
                         .group = ++last_chain_});
      events_.push_back({.time = pause.end_ns,
                         .name = name,
                         .kind = kind::kAsyncEnd,
                         .value = events_.size() - 1});
    }
    return ok();
  }

  void slice(const PartSlice& slice) override {
    end_before(slice.begin_ns);
    const std::uint32_t name = name_of(slice.name);
    const auto [chain, is_new] = chains_.try_emplace({slice.group, name}, last_chain_ + 1);
    if (is_new || slice.group == 0) chain->second = ++last_chain_;
    const bool cut = slice.is_cut();
    if (cut) cuts_.push_back(slice);
    if (!slice.unfinished) ends_.push({slice.end_ns, events_.size()});
    if (track_->kind == TrackKind::calls) calls_.resize(events_.size() + 1);
    if (track_->kind == TrackKind::calls) calls_[events_.size()] = true;
    events_.push_back({.time = slice.begin_ns,
                       .name = name,
                       .kind = kind::kAsyncBegin,
                       .group = chain->second,
                       .cut = cut ? cuts_.size() - 1 : SIZE_MAX,
                       .record = slice.record,
                       .end_record = slice.end_record});
  }

  void counter(const PartCounter& counter) override {
    for (const PartCounter::Value& value : counter.values) {
      // A counter of one series is as this format has it.
      const bool plain = value.series.empty() || value.series == "value";
      const std::string name = plain ? std::string(track_->track_name)
                                     : fmt::format("{}.{}", track_->track_name, value.series);
      events_.push_back({.time = counter.time_ns,
                         .name = name_of(name),
                         .kind = kind::kCounter,
                         .value = std::bit_cast<std::uint64_t>(value.value)});
    }
  }

  bool goes_on() const override { return file_.out.ok(); }
  bool empty() const { return events_.empty(); }

  // Of equal time in the order in which their names came first: so it is when it is read back.
  void write(PackedStream& to) {
    DirectSink sink(file_.tables, to, file_.losses);
    ArgumentWriter arguments;
    const std::vector<std::size_t> order = in_order();
    struct Begun {
      std::uint32_t site = 0;
      std::uint64_t id = 0;
    };
    std::map<std::size_t, Begun> begun;
    std::map<std::uint64_t, std::uint64_t> ids;  // of chains, by their first begins
    for (const std::size_t i : order) {
      const Event& event = events_[i];
      const std::uint64_t tick = file_.tick(event.time);
      if (event.kind == kind::kCounter) {
        to.valued(tick, event.kind, file_.tables.site(names_[event.name], {}), 0, event.value);
        file_.losses.count_written(loss::kCounters);
      } else if (event.kind == kind::kAsyncBegin) {
        const RecordText text = text_of(event);
        std::string_view category = text.category;
        if (category.empty() && i < calls_.size() && calls_[i]) category = "calls";
        const std::uint64_t id = ids.try_emplace(event.group, ids.size() + 1).first->second;
        const std::uint32_t site = file_.tables.site(names_[event.name], category);
        begun[i] = {site, id};
        to.valued(tick, event.kind, site, 0, id);
        if (file_.part.options().args) arguments.write(text, event.record, true, sink);
        if (event.cut != SIZE_MAX) {
          arguments.cut_mark(cuts_[event.cut], file_.part.shift_ns(), sink);
        }
        file_.losses.count_written(loss::kAsync);
      } else {
        const auto of = begun.find(event.value);
        if (of == begun.end()) continue;
        to.valued(tick, event.kind, of->second.site, 0, of->second.id);
        begun.erase(of);
      }
      file_.tables.write_much();
    }
  }

 private:
  std::uint32_t name_of(std::string_view name) {
    const auto [known, is_new] =
        number_of_name_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    return known->second;
  }

  RecordText text_of(const Event& event) const {
    const TraceSource* source = file_.part.source();
    if (source == nullptr || !source->has_args() || event.record == kNoRecord) return {};
    return source->describe(event.record, event.end_record);
  }

  // Those that end first, of equal ends the one that began last.
  void end_before(std::int64_t time) {
    while (!ends_.empty() && ends_.top().first <= time) {
      const auto [end, begin] = ends_.top();
      ends_.pop();
      events_.push_back(
          {.time = end, .name = events_[begin].name, .kind = kind::kAsyncEnd, .value = begin});
    }
  }

  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(events_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::vector<std::uint32_t> ranks = ranks_of_names();
    const auto place = [&](std::size_t i) {
      return std::pair(events_[i].time, ranks[events_[i].name]);
    };
    std::ranges::stable_sort(order, {}, place);
    std::vector<std::int64_t> number(events_.size());  // of begins
    for (std::size_t i = 0; i < order.size(); ++i) {
      number[order[i]] = static_cast<std::int64_t>(i);
    }
    // First what has begun before and ends, the last begun first; then what begins, each followed
    // by its end if that comes at once.
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
      const Event& event = events_[i];
      const bool ends = event.kind == kind::kAsyncEnd;
      const std::int64_t begun = number[ends ? event.value : i];
      const bool begun_before = ends && events_[event.value].time < event.time;
      return std::tuple(place(i), !begun_before, begun_before ? -begun : begun, ends);
    });
    return order;
  }

  // By the first event of each; counters go first, as readers list them.
  std::vector<std::uint32_t> ranks_of_names() const {
    std::vector<std::tuple<std::int64_t, bool, std::uint32_t>> firsts;
    for (std::uint32_t i = 0; i < names_.size(); ++i) firsts.emplace_back(INT64_MAX, true, i);
    for (const Event& event : events_) {
      auto& [time, is_async, name] = firsts[event.name];
      std::tie(time, is_async) =
          std::min(std::pair(time, is_async), std::pair(event.time, event.kind != kind::kCounter));
    }
    std::ranges::sort(firsts);
    std::vector<std::uint32_t> ranks(names_.size());
    for (std::uint32_t i = 0; i < firsts.size(); ++i) ranks[std::get<2>(firsts[i])] = i;
    return ranks;
  }

  struct LaterEnd {
    bool operator()(const std::pair<std::int64_t, std::size_t>& a,
                    const std::pair<std::int64_t, std::size_t>& b) const {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    }
  };

  StreamFile& file_;
  std::size_t process_;
  const PartTrack* track_ = nullptr;
  std::vector<Event> events_;
  std::vector<bool> calls_;  // by event: of a list of calls
  std::vector<PartSlice> cuts_;
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> number_of_name_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> chains_;  // of the track
  std::uint64_t last_chain_ = 0;
  std::priority_queue<std::pair<std::int64_t, std::size_t>,
                      std::vector<std::pair<std::int64_t, std::size_t>>, LaterEnd>
      ends_;  // time, and number of the begin
};

}  // namespace

Status write_shared(StreamFile& file, std::size_t process, const PartTrack* thread) {
  SharedEvents events(file, process);
  if (Status read = events.read(); !read) return read;
  if (events.empty() && thread == nullptr) return ok();
  const std::uint32_t number = file.next_stream();
  PackedStream stream(file.out, number);
  events.write(stream);
  std::string name = thread == nullptr ? std::string("async") : thread_name(*thread);
  const std::uint64_t tid = thread == nullptr ? file.tids.new_id() : file.tids.id_of(thread->tid);
  file.finish(stream, number, std::move(name), tid);
  return ok();
}

}  // namespace cinderscope::thread_stream
