#include "formats/lincheck/text/diff_names.h"

#include <array>
#include <cstddef>

#include "ingest/model/slice_chunk.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::lincheck {
namespace {

struct Status {
  std::string_view mark, words;
  std::uint32_t hue;  // on the palette's ring; the colour-blind one shows these apart as well
};
constexpr std::uint32_t kBlue = 11, kRed = 19, kGreen = 4, kYellow = 0;
constexpr std::array<Status, 5> kStatus = {{
    {"", "unchanged", kBlue},
    {"- ", "removed", kRed},
    {"+ ", "added", kGreen},
    {"! ", "edited, as it was", kYellow},
    {"! ", "edited, as it is now", kYellow},
}};

const Status* status_of(std::int8_t status) {
  const bool known = status >= 0 && static_cast<std::size_t>(status) < kStatus.size();
  return known ? &kStatus.at(static_cast<std::size_t>(status)) : nullptr;
}

}  // namespace

std::string_view diff_mark(std::int8_t status) {
  const Status* found = status_of(status);
  return found == nullptr ? std::string_view() : found->mark;
}

std::string_view diff_words(std::int8_t status) {
  const Status* found = status_of(status);
  return found == nullptr ? std::string_view() : found->words;
}

std::uint32_t diff_colour(std::int8_t status, std::string_view name) {
  const Status* found = status_of(status);
  const std::uint32_t hue = found == nullptr ? kBlue : found->hue;
  return hue + kHueCount * lightness_step_from_hash(stable_hash(name));
}

std::vector<LegendEntry> diff_legend() {
  constexpr std::uint32_t kMiddle = kHueCount;  // of the three steps of lightness
  return {{"added", kGreen + kMiddle, "/^\\+ /"},
          {"removed", kRed + kMiddle, "/^- /"},
          {"edited", kYellow + kMiddle, "/^! /"},
          {"kept", kBlue + kMiddle, {}}};
}

}  // namespace cinderscope::lincheck
