#include "formats/spall/write/owner_ids.h"

#include <fmt/format.h>

#include <optional>

#include "ingest/base/number_text.h"

namespace cinderscope::spall {
namespace {

// As the number would be written again: "007" is a text.
std::optional<std::uint32_t> number_of(std::string_view text) {
  const auto number = parse_number<std::uint32_t>(text);
  return number && fmt::to_string(*number) == text ? number : std::nullopt;
}

}  // namespace

bool OwnerIds::is_id(std::string_view text) {
  return number_of(text).has_value();
}

void OwnerIds::note(std::string_view text) {
  if (const auto number = number_of(text)) taken_.insert(*number);
}

std::uint32_t OwnerIds::id_of(std::size_t owner, std::string_view text) {
  const auto [given, is_new] = given_.try_emplace(owner, 0);
  if (!is_new) return given->second;
  const auto number = number_of(text);
  const bool is_first = number && told_.insert(*number).second;
  given->second = is_first ? * number : next_ = free_id(next_);
  return given->second;
}

std::uint32_t OwnerIds::free_id(std::uint32_t wanted) {
  while (!taken_.insert(wanted).second) ++wanted;
  return wanted;
}

}  // namespace cinderscope::spall
