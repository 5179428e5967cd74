// C++17 on top of tsd.h: zones that take arguments, and a recording as an object.
#ifndef TSD_HPP
#define TSD_HPP

#include <cstring>
#include <string_view>
#include <type_traits>

#include "tsd.h"

#define TSD_QUIET_ __attribute__((no_instrument_function)) /* inlining alone keeps its hooks */

namespace tsd {

// Records while it lives; for tests and tools. The environment is asked as with tsd_init.
class Recording {
 public:
  TSD_QUIET_ explicit Recording(tsd_config config = defaults()) {
    config.start = TSD_CALL;
    const int result = tsd_init(&config);
    result_ = tsd_recording() != 0 ? result : tsd_start();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  TSD_QUIET_ ~Recording() {
    if (result_ == 0) tsd_stop();
  }

  TSD_QUIET_ int result() const { return result_; }  // of the start: 0 or -errno

  TSD_QUIET_ static tsd_config defaults() {
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
  TSD_QUIET_ explicit Zone(tsd_site* site) {
    if (__builtin_expect(!tsd_is_on(), 1)) return;
    const std::uint32_t id = tsd_site_id(site);
    if (id == 0) return;
    std::uint32_t stretch = tsd_this_lane.stretch;
    tsd_slot* slot = tsd_record_in(TSD_META(TSD_KIND_ENTER, 0, id), TSD_BEGINS, &stretch);
    zone_ = static_cast<std::uint64_t>(stretch) << 32 | id;
    end_ = slot ? slot + 1 : nullptr;
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

  TSD_QUIET_ ~Zone() {
    if (zone_ == 0 || !tsd_is_on()) return;
    if (__builtin_expect(kept_ > 0, 0)) {
      tsd_end_with(zone_, keep_, kept_);
    } else {
      auto stretch = static_cast<std::uint32_t>(zone_ >> 32);
      tsd_record_in(TSD_META(TSD_KIND_EXIT, 0, static_cast<std::uint32_t>(zone_)), TSD_ENDS,
                    &stretch);
    }
  }

  // Right behind the begin, if nothing was recorded in the zone since; else it is kept, and written
  // behind the end: two numbers or texts of up to 40 bytes at most, what is more counts as dropped.
  // `key` is a literal.
  template <typename Value>
  TSD_QUIET_ void arg(const char* key, const Value& value) {
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
      const char* const bytes = value;  // a literal, or a buffer that nothing may end
      const void* const end = __builtin_memchr(bytes, 0, sizeof value);
      put(key, TSD_TEXT, bytes,
          end ? static_cast<std::size_t>(static_cast<const char*>(end) - bytes) : sizeof value);
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      if constexpr (std::is_pointer_v<Value>) {
        if (value == nullptr) return number(key, TSD_POINTER, 0, 8);
        put(key, TSD_TEXT, value, __builtin_strlen(value));
      } else {
        const std::string_view text(value);
        put(key, TSD_TEXT, text.data(), text.size());
      }
    } else {
      static_assert(std::is_pointer_v<Value> || std::is_null_pointer_v<Value>,
                    "an argument is a number, a bool, a pointer or a text");
      number(key, TSD_POINTER,
             reinterpret_cast<std::uintptr_t>(static_cast<const volatile void*>(value)), 8);
    }
  }

 private:
  TSD_QUIET_ void number(const char* key, std::uint32_t type, std::uint64_t value,
                         std::uint32_t length) {
    put(key, type, &value, length);
  }

  TSD_QUIET_ void put(const char* key, std::uint32_t type, const void* data, std::size_t length) {
    if (length > 65535) {
      length = 65535;
      tsd_count_dropped(1);
    }
    if (end_ && (end_ = tsd_argument_at(end_, key, type, data, length)) != nullptr) return;
    if (kept_ == TSD_MOST_KEPT || length > sizeof keep_[0].bytes) return tsd_count_dropped(1);
    tsd_kept& kept = keep_[kept_++];
    kept.key = key;
    kept.type = type;
    kept.length = static_cast<std::uint32_t>(length);
    if (length) std::memcpy(kept.bytes, data, length);
  }

  std::uint64_t zone_ = 0;
  tsd_slot* end_ = nullptr;  // behind the last slot of its own
  int kept_ = 0;
  tsd_kept keep_[TSD_MOST_KEPT];
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
#define TSD_ZONE_AS(variable, name) [[maybe_unused]] tsd::Zone variable

#endif

}  // namespace tsd

#endif
