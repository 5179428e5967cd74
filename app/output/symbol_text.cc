#include "app/output/symbol_text.h"

#include <fmt/format.h>

namespace cinderscope {

std::vector<std::string> symbol_lines(const SymbolReport& report) {
  std::vector<std::string> lines;
  for (const SymbolReport::Module& module : report.modules) {
    std::string line = fmt::format("{}: {} of {}", module.path, module.named, module.addresses);
    if (module.named > 0) {
      line += module.debug_info ? " by debug information" : " by the symbol table";
      if (!module.file.empty()) line += " of " + module.file;
    }
    if (!module.reason.empty()) line += (module.named > 0 ? "; " : ", ") + module.reason;
    lines.push_back(std::move(line));
  }
  if (report.outside > 0) {
    lines.push_back(fmt::format("{} addresses lie in no file", report.outside));
  }
  if (report.cut) lines.emplace_back("there are more addresses than are looked up at once");
  return lines;
}

std::string symbol_summary(const SymbolReport& report) {
  std::uint64_t named = 0, all = report.outside;
  for (const SymbolReport::Module& module : report.modules) {
    named += module.named;
    all += module.addresses;
  }
  if (all == 0) return "The trace holds no addresses of native code.";
  if (report.written.empty()) {
    return fmt::format("None of {} addresses could be named; nothing was written.", all);
  }
  const std::string where = report.written == "-" ? "" : " in " + report.written;
  return fmt::format("{} of {} addresses are named{}.", named, all, where);
}

}  // namespace cinderscope
