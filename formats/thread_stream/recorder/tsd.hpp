// C++17 on top of tsd.h: zones that take arguments, and a recording as an object.
#ifndef TSD_HPP
#define TSD_HPP

#include <cstring>
#include <string_view>
#include <type_traits>

#include "tsd.h"

namespace tsd {

// Records while it lives; for tests and tools. The environment is asked as with tsd_init.
class Recording {
 public:
  explicit Recording(tsd_config config = defaults()) {
    config.start = TSD_CALL;
    const int result = tsd_init(&config);
    result_ = tsd_recording() != 0 ? result : tsd_start();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { tsd_stop(); }

  int result() const { return result_; }  // of the start: 0 or -errno

  static tsd_config defaults() {
    tsd_config config;
    tsd_config_default(&config);
    return config;
  }

 private:
  int result_ = 0;
};

#ifndef TSD_DISABLE

// A call from here to the end of the scope.
class Zone {
 public:
  __attribute__((no_instrument_function)) explicit Zone(tsd_site* site) {
    if (__builtin_expect(!tsd_is_on(), 1)) return;
    const std::uint32_t id = tsd_site_id(site);
    if (id == 0) return;
    tsd_slot* slot = tsd_record(TSD_META(TSD_KIND_ENTER, 0, id), TSD_BEGINS);
    zone_ = static_cast<std::uint64_t>(tsd_this_lane.stretch) << 32 | id;
    end_ = slot ? slot + 1 : nullptr;
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

  __attribute__((no_instrument_function)) ~Zone() {
    if (zone_ == 0 || !tsd_is_on() ||
        static_cast<std::uint32_t>(zone_ >> 32) != tsd_this_lane.stretch)
      return;
    if (!tsd_record(TSD_META(TSD_KIND_EXIT, 0, static_cast<std::uint32_t>(zone_)), TSD_ENDS))
      return;
    for (int i = 0; i < kept_; ++i) {
      const Kept& kept = keep_[i];
      tsd_argument_behind(kept.key, kept.type,
                          kept.type == TSD_TEXT ? kept.text : static_cast<const void*>(&kept.value),
                          kept.length);
    }
  }

  // Right behind the begin, if nothing was recorded in the zone since; else behind the end: two
  // numbers or literals at most, what is more counts as dropped. `key` is a literal.
  template <typename Value>
  __attribute__((no_instrument_function)) void arg(const char* key, const Value& value) {
    if (__builtin_expect(zone_ == 0, 1)) return;
    if constexpr (std::is_same_v<Value, bool>) {
      number(key, TSD_BOOL, value ? 1 : 0, 1);
    } else if constexpr (std::is_enum_v<Value>) {
      arg(key, static_cast<std::underlying_type_t<Value>>(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
      number(key, TSD_F64, tsd_bits(static_cast<double>(value)), 8);
    } else if constexpr (std::is_integral_v<Value> && std::is_signed_v<Value>) {
      number(key, TSD_I64, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), 8);
    } else if constexpr (std::is_integral_v<Value>) {
      number(key, TSD_U64, value, 8);
    } else if constexpr (std::is_array_v<Value> &&
                         std::is_convertible_v<const Value&, std::string_view>) {
      const char* literal = value;
      text(key, literal, literal);
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      if constexpr (std::is_pointer_v<Value>) {
        if (value == nullptr) return number(key, TSD_POINTER, 0, 8);
      }
      text(key, std::string_view(value), nullptr);
    } else {
      static_assert(std::is_pointer_v<Value> || std::is_null_pointer_v<Value>,
                    "an argument is a number, a bool, a pointer or a text");
      number(key, TSD_POINTER,
             reinterpret_cast<std::uintptr_t>(static_cast<const volatile void*>(value)), 8);
    }
  }

 private:
  struct Kept {
    const char* key;
    const char* text;
    std::uint64_t value;
    std::uint32_t type, length;
  };

  void number(const char* key, std::uint32_t type, std::uint64_t value, std::uint32_t length) {
    if (!put(key, type, &value, length)) keep({key, nullptr, value, type, length});
  }

  void text(const char* key, std::string_view value, const char* literal) {
    if (value.size() > 65535) {
      value = value.substr(0, 65535);
      tsd_count_dropped(1);
    }
    if (put(key, TSD_TEXT, value.data(), value.size())) return;
    if (literal)
      keep({key, literal, 0, TSD_TEXT, static_cast<std::uint32_t>(value.size())});
    else
      tsd_count_dropped(1);
  }

  bool put(const char* key, std::uint32_t type, const void* data, std::size_t length) {
    if (end_ == nullptr) return false;
    end_ = tsd_argument_at(end_, key, type, data, length);
    return end_ != nullptr;
  }

  void keep(const Kept& kept) {
    if (kept_ < 2)
      keep_[kept_++] = kept;
    else
      tsd_count_dropped(1);
  }

  std::uint64_t zone_ = 0;
  tsd_slot* end_ = nullptr;  // behind the last slot of its own
  int kept_ = 0;
  Kept keep_[2];
};

#define TSD_ZONE_AS(variable, name)                        \
  TSD_SITE_(TSD_JOIN(tsd_site_, __LINE__), nullptr, name); \
  tsd::Zone variable(&TSD_JOIN(tsd_site_, __LINE__))

#else

class Zone {
 public:
  template <typename Value>
  void arg(const char*, const Value&) {}
};
#define TSD_ZONE_AS(variable, name) tsd::Zone variable

#endif

}  // namespace tsd

#endif
