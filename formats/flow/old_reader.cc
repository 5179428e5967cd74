// The two single-file layouts (section 5): names stand where they are used first.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "formats/flow/event_reader.h"
#include "formats/flow/flow_wire.h"

namespace cinderscope::flow {
namespace {

struct OldEvent {
  std::uint8_t opcode = 0;
  std::uint64_t value = 0;
  std::uint64_t name_id = 0;  // of a known name
  std::string_view name;      // of a new one
  std::uint64_t tid = 0;      // where each event names its thread
};

struct OldForm {
  bool invocation_ids = false, many_threads = false;
};

// Reads one event; `at` moves behind it if it is whole.
ReadState read_old_event(const std::byte*& at, const std::byte* end, OldForm form,
                         OldEvent& event) {
  const std::byte* next = at;
  const auto first = static_cast<std::uint8_t>(*next++);
  event = {};
  event.opcode = first & kOldOpcodeBits;
  event.value = first & kOldLowBits;
  if (event.opcode == 0) return ReadState::bad;
  const auto number = [&](unsigned shift, std::uint64_t& value) {
    return read_leb(next, end, shift, value);
  };
  if ((first & kOldMoreBit) != 0) {
    if (const ReadState state = number(5, event.value); state != ReadState::whole) return state;
  }
  if (event.opcode == kOldNewName) {
    std::uint64_t size = 0;
    if (const ReadState state = number(0, size); state != ReadState::whole) return state;
    if (size > static_cast<std::uint64_t>(end - next)) return ReadState::cut;
    event.name = {reinterpret_cast<const char*>(next), static_cast<std::size_t>(size)};
    next += size;
  } else if (event.opcode == kOldKnownName) {
    event.name_id = event.value;
    if (form.invocation_ids) {
      event.name_id = 0;
      if (const ReadState state = number(0, event.name_id); state != ReadState::whole) return state;
    }
  }
  if (form.many_threads) {
    if (const ReadState state = number(0, event.tid); state != ReadState::whole) return state;
  }
  at = next;
  return ReadState::whole;
}

// What must hold of the numbers of enters and names.
struct OldNumbers {
  std::uint64_t enters = 0, names = 0;

  bool fit(OldForm form, const OldEvent& event) {
    if (event.opcode == kOldExits) return true;
    ++enters;
    if (form.invocation_ids && event.value != enters) return false;
    if (event.opcode == kOldKnownName) {
      const std::uint64_t last = form.invocation_ids ? enters - 1 : names;
      return event.name_id >= 1 && event.name_id <= last;
    }
    ++names;
    return form.invocation_ids || event.value == names;
  }
};

OldForm form_of(Layout layout, std::byte header) {
  return {layout == Layout::invocation_ids, static_cast<std::uint8_t>(header) == kOldManyThreads};
}

// How far the bytes can be read in that way.
std::uint64_t readable(std::span<const std::byte> bytes, Layout layout) {
  const OldForm form = form_of(layout, bytes[0]);
  const std::byte* at = bytes.data() + 1;
  const std::byte* const end = bytes.data() + bytes.size();
  OldNumbers numbers;
  OldEvent event;
  while (at != end) {
    const std::byte* const begin = at;
    const ReadState state = read_old_event(at, end, form, event);
    if (state == ReadState::whole && numbers.fit(form, event)) continue;
    return static_cast<std::uint64_t>(begin - bytes.data()) + (state == ReadState::cut ? 1 : 0);
  }
  return bytes.size() + 1;
}

class OldReader : public EventReader {
 public:
  OldReader(Layout layout, MethodTable& methods, OpenLane open_lane)
      : EventReader(methods, std::move(open_lane)), layout_(layout) {}

  std::uint64_t read(const Pin& bytes, std::uint64_t at, std::uint64_t end, bool last) override {
    if (at == 0) {
      if (bytes.size() == 0) return 0;
      form_ = form_of(layout_, *bytes.at(0));
      at = 1;
    }
    const std::byte* const file_end = bytes.at(bytes.end());
    const std::byte* next = bytes.at(at);
    OldEvent event;
    while (at < end) {
      const ReadState state = read_old_event(next, file_end, form_, event);
      if (state == ReadState::cut) {
        if (last) cut(at, bytes.end() - at);
        return at;
      }
      if (state == ReadState::bad || !numbers_.fit(form_, event) || !take(event, at)) {
        damaged(at, "An event cannot be what was written (two threads may have written at once)");
        return at;
      }
      at = bytes.end() - static_cast<std::uint64_t>(file_end - next);
    }
    return at;
  }

 private:
  bool take(const OldEvent& event, std::uint64_t offset) {
    if (lane_ == nullptr || event.tid != tid_) {
      lane_ = &lane(form_.many_threads ? fmt::to_string(event.tid) : std::string());
      tid_ = event.tid;
    }
    if (event.opcode == kOldExits) {
      lane_->exit(event.value + (event.value != UINT64_MAX ? 1 : 0), offset);
      return true;
    }
    if (event.opcode == kOldNewName) {
      const MethodRef method = methods_.of_key(event.name);
      names_[event.value] = method;
      lane_->enter(method);
      return true;
    }
    const auto known = names_.find(event.name_id);
    if (known == names_.end()) return false;
    lane_->enter(known->second);
    return true;
  }

  Layout layout_;
  OldForm form_;
  OldNumbers numbers_;
  std::unordered_map<std::uint64_t, MethodRef> names_;
  Lane* lane_ = nullptr;
  std::uint64_t tid_ = 0;
};

}  // namespace

Layout layout_of(std::span<const std::byte> bytes) {
  const std::optional<Layout> layout = layout_of_head(bytes);
  if (!layout) return Layout::binary;
  if (*layout != Layout::name_ids) return *layout;
  const bool numbered =
      readable(bytes, Layout::invocation_ids) >= readable(bytes, Layout::name_ids);
  return numbered ? Layout::invocation_ids : Layout::name_ids;
}

std::unique_ptr<EventReader> make_old_reader(Layout layout, MethodTable& methods,
                                             OpenLane open_lane) {
  return std::make_unique<OldReader>(layout, methods, std::move(open_lane));
}

}  // namespace cinderscope::flow
