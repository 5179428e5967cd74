#include "formats/perfetto/samples/module_symbols.h"

#include <algorithm>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kMostAddresses = 4u << 20;  // of all modules
constexpr std::size_t kMostInlined = 256;         // at one address

std::string function_of_line(std::string_view line) {
  std::string_view function;
  FieldReader field(line);
  while (field.next()) {
    if (field.key() == bytes_field(1)) function = field.bytes();
  }
  return std::string(function);
}

}  // namespace

ModuleSymbols::LeftOut ModuleSymbols::add(std::string_view body) {
  LeftOut left_out;
  std::string_view path, build_id;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(1)) path = field.bytes();
    if (field.key() == bytes_field(2)) build_id = field.bytes();
  }
  const auto [found, fresh] = by_key_.try_emplace(key(path, build_id), modules_.size());
  if (fresh) modules_.emplace_back();
  // Whoever knows no build id gets the first module of the path.
  by_key_.try_emplace(key(path, {}), found->second);
  Addresses& addresses = modules_[found->second];
  FieldReader again(body);
  while (again.next()) {
    if (again.key() != bytes_field(3)) continue;
    if (address_count_ == kMostAddresses) {
      ++left_out.addresses;
      continue;
    }
    std::uint64_t address = 0;
    std::vector<std::string> functions;
    FieldReader part(again.bytes());
    while (part.next()) {
      if (part.key() == number_field(1)) address = part.number();
      if (part.key() != bytes_field(2)) continue;
      if (functions.size() == kMostInlined) {
        ++left_out.inlined;
        continue;
      }
      std::string function = function_of_line(part.bytes());
      if (!function.empty()) functions.push_back(std::move(function));
    }
    if (functions.empty()) continue;
    std::reverse(functions.begin(), functions.end());  // the file has the innermost first
    if (addresses.try_emplace(address, std::move(functions)).second) ++address_count_;
  }
  return left_out;
}

const std::vector<std::string>* ModuleSymbols::functions(std::string_view path,
                                                         std::string_view build_id,
                                                         std::uint64_t relative_pc) const {
  if (modules_.empty()) return nullptr;
  const auto module = by_key_.find(key(path, build_id));
  if (module == by_key_.end()) return nullptr;
  const Addresses& addresses = modules_[module->second];
  const auto found = addresses.find(relative_pc);
  return found == addresses.end() ? nullptr : &found->second;
}

std::size_t ModuleSymbols::kept_bytes() const {
  std::size_t bytes = modules_.capacity() * sizeof(Addresses);
  for (const Addresses& addresses : modules_) {
    for (const auto& [address, functions] : addresses) {
      bytes += sizeof(address) + functions.capacity() * sizeof(std::string);
      for (const std::string& function : functions) bytes += function.capacity();
    }
  }
  return bytes;
}

}  // namespace cinderscope::perfetto
