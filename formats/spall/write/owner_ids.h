// Numbers of processes and threads for a format that has u32 alone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace cinderscope::spall {

// Decimal numbers stay; other texts are numbered from 1 on, past those, and so are ids that another
// owner had before: systems use them again.
class OwnerIds {
 public:
  // First all texts, then each owner asks for its number.
  void note(std::string_view text);
  std::uint32_t id_of(std::size_t owner, std::string_view text);
  // A number that nobody has: `wanted` or the next free one.
  std::uint32_t free_id(std::uint32_t wanted);
  static bool is_id(std::string_view text);

 private:
  std::set<std::uint32_t> taken_;
  std::map<std::size_t, std::uint32_t> given_;  // by owner
  std::set<std::uint32_t> told_;                // numbers that have an owner
  std::uint32_t next_ = 1;
};

}  // namespace cinderscope::spall
