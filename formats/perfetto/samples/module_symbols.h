// Functions by their addresses within modules, which a symboliser put into packets of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cinderscope::perfetto {

// Filled once, then asked by any thread.
class ModuleSymbols {
 public:
  struct LeftOut {
    std::uint64_t addresses = 0, inlined = 0;
  };
  // The body of a module_symbols packet.
  LeftOut add(std::string_view body);
  bool empty() const { return modules_.empty(); }

  // The functions at that address, outermost first: several where some were inlined. Null where it
  // has none. An empty `build_id` fits any.
  const std::vector<std::string>* functions(std::string_view path, std::string_view build_id,
                                            std::uint64_t relative_pc) const;
  std::size_t kept_bytes() const;

 private:
  using Addresses = std::unordered_map<std::uint64_t, std::vector<std::string>>;
  static std::string key(std::string_view path, std::string_view build_id) {
    return std::string(path) + '\0' + std::string(build_id);
  }

  std::vector<Addresses> modules_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::size_t address_count_ = 0;
};

}  // namespace cinderscope::perfetto
