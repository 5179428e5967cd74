// What a frame of a profile is beside a call of the program: told by colour, legend and details.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/string_pool.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

enum class FrameKind : std::uint8_t { usual, kernel, jit, inlined, waker, idle, collector };
inline constexpr std::size_t kFrameKinds = 7;

std::string_view word_of(FrameKind kind);  // "kernel", "jit"; "" of the usual one

// Names that get a label, for a colour of their own, are shown as all others are: symbols of C++
// and Rust readable.
class ReadableNames {
 public:
  // The readable name of a symbol, else the name itself; stays as long as both.
  std::string_view of(std::string_view name);

 private:
  std::unique_ptr<StringPool> labels_;  // null: there was no symbol yet
};

// Names of frames on their way into a pool, and the legend of the kinds that were met.
class FrameNames {
 public:
  explicit FrameNames(StringPool& names) : names_(&names) {}

  // `label` is shown instead of the name; it counts for all but usual frames. The colour of a name
  // is that of the kind it is met with first.
  StringId intern(std::string_view name, std::string_view label, FrameKind kind);
  StringId intern(std::string_view name, FrameKind kind) { return intern(name, name, kind); }

  // `search`: the query that finds the frames of a kind; empty where there is none.
  template <class SearchOf>
  std::vector<LegendEntry> legend(SearchOf search) const {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 1; i < kFrameKinds; ++i) {
      const auto kind = static_cast<FrameKind>(i);
      if (met_[i]) entries.push_back(entry(kind, search(kind)));
    }
    return entries;
  }

 private:
  static LegendEntry entry(FrameKind kind, std::string search);

  StringPool* names_;
  ReadableNames readable_;
  std::array<bool, kFrameKinds> met_{};
};

}  // namespace cinderscope
