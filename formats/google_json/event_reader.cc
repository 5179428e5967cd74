#include "formats/google_json/event_reader.h"

#include <algorithm>
#include <cstring>

#include "formats/google_json/decimal_time.h"
#include "formats/google_json/google_json_wire.h"
#include "formats/google_json/raw_json.h"
#include "ingest/saturating.h"

namespace cinderscope::google_json {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// An integer as programs write it: no leading zeros, no plus, at most 18 digits.
bool plain_integer(std::string_view text, std::int64_t& value) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 18 || (text[0] == '0' && (text.size() > 1 || negative))) {
    return false;
  }
  std::int64_t sum = 0;
  for (const char c : text) {
    if (!is_digit(c)) return false;
    sum = sum * 10 + (c - '0');
  }
  value = negative ? -sum : sum;
  return true;
}

// Takes the decoration off an integer: +7, 007 and 7.00 become 7. Other text stays.
std::string_view normal_number(std::string_view text, bool& negative) {
  std::string_view digits = text;
  negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (const std::size_t point = digits.find('.'); point != std::string_view::npos) {
    if (digits.find_first_not_of('0', point + 1) != std::string_view::npos) return {};
    digits = digits.substr(0, point);
  }
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return {};
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  if (digits == "0") negative = false;
  return digits;
}

std::uint64_t load_bytes(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  if (count >= 8) {
    std::memcpy(&value, bytes, 8);
  } else if (count >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, bytes, 4);
    std::memcpy(&high, bytes + count - 4, 4);
    value = low | std::uint64_t{high} << 32;
  } else if (count > 0) {
    value = static_cast<unsigned char>(bytes[0]) |
            std::uint64_t{static_cast<unsigned char>(bytes[count / 2])} << 8 |
            std::uint64_t{static_cast<unsigned char>(bytes[count - 1])} << 16;
  }
  return value;
}

// Good enough for a table that lives as long as a window; no other place sees it.
std::uint32_t hash_bytes(std::string_view text) {
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = text.size() * kMix;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 8; at += 8, left -= 8) {
    hash = (hash ^ load_bytes(at, 8)) * kMix;
    hash ^= hash >> 29;
  }
  hash = (hash ^ load_bytes(at, left)) * kMix;
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::string id_text(std::string_view value) {
  value = trim_blanks(value);
  if (value.empty() || value == "null" || is_object(value) || is_array(value)) return "-";
  if (is_string(value)) return text_of(value);
  bool negative = false;
  const std::string_view digits = normal_number(value, negative);
  if (digits.empty()) return std::string(value);
  std::string out = negative ? "-" : "";
  out += digits;
  return out;
}

void EventReader::start(EventBatch& batch) {
  recent_threads_.fill({});
  threads_.clear();
  name_slots_.assign(1024, {});
  name_bytes_.clear();
  batch.names.reserve(512);
}

std::string_view EventReader::text(const RawEvent& event, Key key) const {
  if (!event.has(key)) return {};
  const RawEvent::Value& value = event[key];
  std::string_view text(bytes_ + value.begin, value.end - value.begin);
  while (is_blank(text.back())) text.remove_suffix(1);
  return text;
}

TextRange EventReader::range(const RawEvent& event, Key key) const {
  const std::string_view value = text(event, key);
  if (value.empty()) return {};
  const std::uint64_t begin = offset_ + event[key].begin;
  return {begin, begin + value.size()};
}

bool EventReader::read_time(const RawEvent& event, EventBatch& batch, std::int64_t& time_ns) {
  std::string_view digits = text(event, Key::time);
  if (is_string(digits) && digits.size() >= 2)
    digits = trim_blanks(digits.substr(1, digits.size() - 2));
  const std::optional<DecimalTime> time = time_from_decimal(digits);
  if (!time) {
    batch.diagnostics.count("missing_ts", place(event),
                            "Events without a time (ts missing or no number) were skipped.");
    return false;
  }
  if (time->clamped) {
    batch.diagnostics.count("clamped_time", place(event),
                            "Times beyond 2^62 ns were moved to that limit.");
  }
  time_ns = time->ns;
  batch.decimals = std::max(batch.decimals, time->decimals);
  return true;
}

void EventReader::read_duration(const RawEvent& event, EventBatch& batch, SliceEvent& slice) {
  std::string_view digits = text(event, Key::duration);
  if (digits.empty() || digits == "null") {
    slice.unfinished = true;
    return;
  }
  if (is_string(digits) && digits.size() >= 2)
    digits = trim_blanks(digits.substr(1, digits.size() - 2));
  const std::optional<DecimalTime> duration = time_from_decimal(digits);
  if (!duration) {
    batch.diagnostics.count("bad_duration", place(event),
                            "Durations that are no number (NaN, Infinity, text) were taken as 0.");
    return;
  }
  batch.decimals = std::max(batch.decimals, duration->decimals);
  if (duration->ns < 0) {
    batch.diagnostics.count("negative_duration", place(event),
                            "Negative durations were taken as 0.");
    return;
  }
  slice.duration_ns = std::min(duration->ns, saturating_difference(kMaxTimeNs, slice.begin_ns));
}

void EventReader::read(const RawEvent& event, const char* bytes, std::uint64_t offset,
                       EventBatch& batch) {
  bytes_ = bytes;
  offset_ = offset;
  ++batch.element_count;
  if (event.present == 0 && event.end - event.begin <= 2) return;  // {}

  const std::string_view phase_text = text(event, Key::phase);
  if (phase_text.size() < 3 || phase_text[0] != '"') {
    batch.diagnostics.count("missing_phase", place(event),
                            "Elements without a phase (ph) were skipped.");
    return;
  }
  const char phase = phase_text[1];
  ++batch.phased_count;
  ++batch.phase_counts[static_cast<unsigned char>(phase)];
  const PhaseKind kind = phase_kind(phase);
  if (kind == PhaseKind::unknown) {
    batch.diagnostics.count("unknown_phase", place(event));
    return;
  }
  if (kind == PhaseKind::ignored) return;
  std::int64_t time_ns = 0;
  if (kind == PhaseKind::metadata) {
    add_side(event, phase, 0, batch);
    return;
  }
  if (!read_time(event, batch, time_ns)) return;
  if (kind != PhaseKind::slice) {
    batch.end_ns = std::max(batch.end_ns, time_ns);
    add_side(event, phase, time_ns, batch);
    return;
  }

  SliceEvent slice;
  slice.begin_ns = time_ns;
  slice.phase = phase;
  slice.record = offset_ + event.begin;
  if (phase == 'X') read_duration(event, batch, slice);
  if (phase == 'E' && event.has(Key::args)) {
    const std::string_view args = text(event, Key::args);
    slice.has_args = args.size() > 2 && args != "null";
  }
  slice.name = name_of(event, batch);
  slice.thread = thread_of(event, batch);
  batch.end_ns = std::max(batch.end_ns, slice.begin_ns + slice.duration_ns);
  batch.slices.push_back(slice);
  if (event.has(Key::bind_id)) add_side(event, phase, time_ns, batch);
}

std::uint32_t EventReader::thread_of(const RawEvent& event, EventBatch& batch) {
  const std::string_view pid_text = text(event, Key::pid);
  const std::string_view tid_text = text(event, Key::tid);
  std::int64_t pid = 0;
  std::int64_t tid = 0;
  if (!plain_integer(pid_text, pid) || !plain_integer(tid_text, tid)) {
    return thread_by_text(id_text(pid_text), id_text(tid_text), batch);
  }
  const auto mix = (static_cast<std::uint64_t>(pid) * 31 + static_cast<std::uint64_t>(tid)) *
                   0x9e3779b97f4a7c15u;
  ThreadSlot& slot = recent_threads_[mix >> 56];
  if (slot.thread == kNone || slot.pid != pid || slot.tid != tid) {
    slot = {pid, tid, thread_by_text(std::string(pid_text), std::string(tid_text), batch)};
  }
  return slot.thread;
}

std::uint32_t EventReader::thread_by_text(std::string pid, std::string tid, EventBatch& batch) {
  const auto [at, fresh] =
      threads_.try_emplace(pid + '\n' + tid, static_cast<std::uint32_t>(batch.threads.size()));
  if (fresh) batch.threads.push_back({std::move(pid), std::move(tid)});
  return at->second;
}

std::uint32_t EventReader::name_of(const RawEvent& event, EventBatch& batch) {
  std::string_view name = text(event, Key::name);
  if (name.empty() || name == "null" || is_object(name) || is_array(name)) return kNone;
  std::uint64_t begin = offset_ + event[Key::name].begin;
  const bool quoted = is_string(name);
  if (quoted) {
    name = name.substr(1, name.size() - 2);
    ++begin;
  }
  if (name.empty()) return kNone;

  const std::uint32_t hash = hash_bytes(name);
  const std::size_t mask = name_slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; name_slots_[at].name != kNone; at = (at + 1) & mask) {
    if (name_slots_[at].hash != hash) continue;
    const TextRange known = batch.names[name_slots_[at].name].text;
    if (known.end - known.begin == name.size() &&
        std::memcmp(name_bytes_[name_slots_[at].name], name.data(), name.size()) == 0) {
      return name_slots_[at].name;
    }
  }
  const auto local = static_cast<std::uint32_t>(batch.names.size());
  name_slots_[at] = {hash, local};
  name_bytes_.push_back(name.data());
  const bool escaped = quoted && name.find('\\') != std::string_view::npos;
  batch.names.push_back({{begin, begin + name.size()}, escaped});
  if (batch.names.size() * 2 > name_slots_.size()) grow_names(batch);
  return local;
}

void EventReader::grow_names(EventBatch& batch) {
  std::vector<NameSlot> old(name_slots_.size() * 4);
  old.swap(name_slots_);
  const std::size_t mask = name_slots_.size() - 1;
  for (const NameSlot& slot : old) {
    if (slot.name == kNone) continue;
    std::size_t at = slot.hash & mask;
    while (name_slots_[at].name != kNone) at = (at + 1) & mask;
    name_slots_[at] = slot;
  }
  batch.names.reserve(name_slots_.size() / 2);
}

void EventReader::add_side(const RawEvent& event, char phase, std::int64_t time_ns,
                           EventBatch& batch) {
  SideEvent side;
  side.time_ns = time_ns;
  side.record = offset_ + event.begin;
  side.name = name_of(event, batch);
  side.thread = thread_of(event, batch);
  side.phase = phase;
  side.category = range(event, Key::category);
  side.id = range(event, Key::id);
  side.id2 = range(event, Key::id2);
  side.scope = range(event, Key::scope);
  side.args = range(event, Key::args);
  side.binding_point = range(event, Key::binding_point);
  side.bind_id = range(event, Key::bind_id);
  side.flow_in = range(event, Key::flow_in);
  side.flow_out = range(event, Key::flow_out);
  side.stack_frame = range(event, Key::stack_frame);
  batch.side.push_back(side);
}

}  // namespace cinderscope::google_json
