#include "formats/perfetto/text/thread_time.h"

#include <algorithm>
#include <string>
#include <vector>

#include "formats/perfetto/events/track_event.h"
#include "formats/perfetto/state/sequence.h"
#include "formats/perfetto/wire/block_reader.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::uint64_t kMostWalkedBytes = 4u << 20;  // of packets that are looked at

std::int64_t scaled(std::int64_t value, std::int64_t by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) *
                                   static_cast<std::uint64_t>(by));
}

// What one event says of its thread's time.
struct ThreadTime {
  std::int64_t ns = 0;
  bool is_delta = false;
};

// Goes from packet to packet of a sequence and knows the thread's time at each.
class ThreadClock {
 public:
  ThreadClock(const Survey& survey, std::uint32_t sequence) : survey_(survey), id_(sequence) {}

  void start_with(PacketDefaults defaults) { defaults_ = std::move(defaults); }
  // Calls `take(packet, event)` for the track events from `from` on, until it is false.
  // False: there are too many.
  template <class Take>
  bool walk(std::uint64_t from, Take take) {
    std::uint64_t read_bytes = 0;
    auto run =
        std::upper_bound(survey_.runs.begin(), survey_.runs.end(), from,
                         [](std::uint64_t at, const PacketRun& each) { return at < each.end; });
    Packet packet;
    for (; run != survey_.runs.end(); ++run) {
      if (!run->mixed && run->sequence != id_) continue;
      const std::uint64_t begin = std::max(from, run->begin);
      const Pin pin = survey_.bytes.pin(begin, run->end - begin);
      BlockReader reader(pin.text(), begin);
      while (reader.next()) {
        read_bytes += reader.body().size();
        if (read_bytes > kMostWalkedBytes) return false;
        if (run->mixed && sequence_of(reader.body()) != id_) continue;
        packet.address = reader.address();
        packet.tag = reader.tag();
        if (!read_packet(reader.body(), packet) || packet.sequence != id_) continue;
        update(packet);
        if (packet.kind != kTrackEvent || !read_track_event(packet.body, event_)) continue;
        add(event_);
        if (!take(packet, event_)) return true;
      }
    }
    return true;
  }

  std::uint64_t uuid_of(const TrackEvent& event) const {
    return event.has_uuid ? event.uuid : defaults_.uuid;
  }
  // Whether the last event told it.
  bool told() const { return told_; }
  // Of deltas what they add up to since the walk began, or since the sequence's state was cleared.
  std::int64_t ns() const { return ns_; }
  bool has_deltas() const { return has_deltas_; }
  bool lost() const { return lost_; }
  // Its state was cleared behind the packet from which the walk began.
  bool restarted() const { return restarted_; }

 private:
  void update(const Packet& packet) {
    if (packet.cleared) {
      defaults_ = {};
      ns_ = 0;
      restarted_ = is_behind_first_;
    } else if (packet.loss != 0) {
      lost_ = true;
    }
    if (packet.has_defaults) defaults_ = read_defaults(packet.defaults);
    is_behind_first_ = true;
  }

  void add(const TrackEvent& event) {
    const std::optional<ThreadTime> time = time_of(event);
    told_ = time.has_value();
    if (!time) return;
    has_deltas_ = time->is_delta;
    ns_ = time->is_delta ? saturating_sum(ns_, time->ns) : time->ns;
  }

  std::optional<ThreadTime> time_of(const TrackEvent& event) const {
    const auto of_counters = [&](const std::vector<std::uint64_t>& uuids,
                                 const std::vector<CounterNumber>& values) {
      std::optional<ThreadTime> time;
      for (std::size_t i = 0; i < values.size() && i < uuids.size(); ++i) {
        const std::uint32_t track = survey_.tracks.find(uuids[i]);
        if (track == kNone || !survey_.tracks[track].is_cpu_time) continue;
        const DescribedTrack& counter = survey_.tracks[track];
        const std::int64_t value = values[i].is_real ? clamped(values[i].real) : values[i].integer;
        time = {scaled(value, counter.unit_multiplier), counter.incremental};
      }
      return time;
    };
    const auto extra = [](const auto& own, const auto& usual) -> const auto& {
      return own.empty() ? usual : own;
    };
    std::optional<ThreadTime> time =
        of_counters(extra(event.extra_tracks, defaults_.extra_tracks), event.extra_values);
    if (!time) {
      time = of_counters(extra(event.extra_real_tracks, defaults_.extra_real_tracks),
                         event.extra_reals);
    }
    if (!time && event.has_thread_time) {
      time = {scaled(event.thread_time_us, 1000), event.is_thread_time_delta};
    }
    return time;
  }

  static std::int64_t clamped(double value) {
    constexpr double kMost = 9e18;
    return value > -kMost && value < kMost ? static_cast<std::int64_t>(value) : 0;
  }

  const Survey& survey_;
  std::uint32_t id_;
  PacketDefaults defaults_;
  TrackEvent event_;
  std::int64_t ns_ = 0;
  bool told_ = false, has_deltas_ = false, lost_ = false;
  bool is_behind_first_ = false, restarted_ = false;
};

bool begins(const TrackEvent& event) {
  if (event.has_legacy && event.legacy.phase != 0) return event.legacy.phase == 'B';
  return event.type == kSliceBegin;
}

bool ends(const TrackEvent& event) {
  if (event.has_legacy && event.legacy.phase != 0) return event.legacy.phase == 'E';
  return event.type == kSliceEnd;
}

bool has_override(const TrackEvent& event) {
  return event.has_legacy && (event.legacy.has_pid || event.legacy.has_tid);
}

// The same for events of one name within an epoch; of length 0 without one.
std::string name_token(const TrackEvent& event) {
  const std::uint64_t iid = event.name_iid != 0                   ? event.name_iid
                            : !event.has_name && event.has_legacy ? event.legacy.name_iid
                                                                  : 0;
  if (iid != 0) return '#' + std::to_string(iid);
  return event.has_name && !event.name.empty() ? '=' + std::string(event.name) : std::string();
}

// Slices that are open on one track, from the one that is asked for.
class OpenNames {
 public:
  explicit OpenNames(std::string first) { names_.push_back(std::move(first)); }
  void begin(std::string name) { names_.push_back(std::move(name)); }
  // False if that ended the first.
  bool end(const std::string& name) {
    auto last = std::prev(names_.end());
    if (!name.empty()) {
      const auto named = std::find(names_.rbegin(), names_.rend(), name);
      if (named != names_.rend()) last = std::prev(named.base());
    }
    const bool is_first = last == names_.begin();
    names_.erase(last);
    return !is_first;
  }

 private:
  std::vector<std::string> names_;
};

// The defaults that hold at the packet.
PacketDefaults defaults_at(const Epoch& epoch, std::uint64_t address, const Survey& survey) {
  const auto after = std::ranges::upper_bound(epoch.defaults_at, address);
  if (after == epoch.defaults_at.begin()) return {};
  const Pin pin = survey.bytes.packet_at(*(after - 1));
  Packet packet;
  const std::size_t head = std::min<std::size_t>(pin.size(), read_head(pin.text()).head_bytes);
  if (!read_packet(pin.text().substr(head), packet)) return {};
  return packet.has_defaults ? read_defaults(packet.defaults) : PacketDefaults{};
}

}  // namespace

const Epoch* epoch_of(const Packet& packet, const EpochsOfSequences& epochs) {
  const auto sequence = epochs.find(packet.sequence);
  if (sequence == epochs.end()) return nullptr;
  const auto next =
      std::upper_bound(sequence->second.begin(), sequence->second.end(), packet.address,
                       [](std::uint64_t at, const Epoch& epoch) { return at < epoch.begin; });
  return next == sequence->second.begin() ? nullptr : &*(next - 1);
}

std::optional<std::int64_t> thread_time_of(const Packet& begin, const Survey& survey,
                                           const EpochsOfSequences& epochs) {
  if (begin.kind != kTrackEvent) return std::nullopt;
  const Epoch* const epoch = epoch_of(begin, epochs);
  ThreadClock clock(survey, begin.sequence);
  if (epoch != nullptr) clock.start_with(defaults_at(*epoch, begin.address, survey));
  std::optional<OpenNames> open;
  std::uint64_t uuid = 0;
  std::int64_t begin_ns = 0;
  bool told = false;
  const bool walked = clock.walk(begin.address, [&](const Packet& packet, const TrackEvent& event) {
    if (packet.address == begin.address) {
      if (!begins(event) || !clock.told() || has_override(event)) return false;
      open.emplace(name_token(event));
      uuid = clock.uuid_of(event);
      begin_ns = clock.ns();
      return true;
    }
    if (clock.lost()) return false;
    if (clock.uuid_of(event) != uuid || has_override(event)) return true;
    if (begins(event)) open->begin(name_token(event));
    if (!ends(event) || open->end(name_token(event))) return true;
    told = clock.told();
    return false;
  });
  if (!walked || !told) return std::nullopt;
  if (clock.restarted() && clock.has_deltas()) {
    // The deltas add up to the thread's time from here on, so its time at the begin is needed.
    ThreadClock before(survey, begin.sequence);
    bool found = false;
    before.walk(epoch == nullptr ? begin.address : epoch->begin,
                [&](const Packet& packet, const TrackEvent&) {
                  found = packet.address == begin.address;
                  return !found;
                });
    if (!found) return std::nullopt;
    begin_ns = before.ns();
  }
  return saturating_difference(clock.ns(), begin_ns);
}

}  // namespace cinderscope::perfetto
