// What the locations of a profile stand for: frames, inlined ones included, and their functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/pprof/pprof_tables.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::pprof {

struct FrameOfLocation {
  std::uint32_t function = 0;  // number in FrameTable::names()
  std::uint32_t location = 0;
  std::int64_t line = 0, column = 0;
  std::uint64_t file = 0;  // text
  bool inlined = false;
};

// Frames that are to be left out, by the profile's own patterns.
enum class Dropped : std::uint8_t { no, inner, whole };

class FrameTable {
 public:
  // `drops`: the profile's patterns for frames to be left out are applied.
  FrameTable(const ProfileTables& tables, bool drops, TimelineBuilder& out);

  // Of a location, the caller first.
  std::span<const FrameOfLocation> frames_of(std::uint32_t location) const {
    return std::span(frames_).subspan(first_[location], first_[location + 1] - first_[location]);
  }
  // Of these the first that stay where inner ones are dropped.
  std::uint32_t kept_frames(std::uint32_t location) const { return kept_[location]; }
  Dropped dropped(std::uint32_t location) const { return dropped_[location]; }

  std::uint32_t number_of(const FrameOfLocation& frame) const {
    return static_cast<std::uint32_t>(&frame - frames_.data());
  }
  std::vector<FrameOfLocation> take_frames() { return std::move(frames_); }  // by number
  std::span<const StringId> names() const { return names_; }                 // by function

 private:
  void number_functions(const ProfileTables& tables, TimelineBuilder& out);
  void keep_all(const ProfileTables& tables);
  void drop(const ProfileTables& tables, TimelineBuilder& out);

  std::vector<FrameOfLocation> frames_;
  std::vector<std::uint32_t> first_, kept_;
  std::vector<Dropped> dropped_;
  std::vector<StringId> names_;
};

std::string_view base_name(std::string_view path);
std::string address_text(std::uint64_t address);

// A function's name without its arguments, as patterns are compared with.
std::string_view name_for_patterns(std::string_view name);

}  // namespace cinderscope::pprof
