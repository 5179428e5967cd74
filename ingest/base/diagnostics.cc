#include "ingest/base/diagnostics.h"

#include <algorithm>
#include <utility>

namespace cinderscope {

namespace {

std::string numbered_code(std::string_view code, unsigned number) {
  std::string numbered(code);
  if (number > 1) numbered.append(" (").append(std::to_string(number)).append(")");
  return numbered;
}

}  // namespace

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::harmless:
      return "harmless";
    case Severity::odd:
      return "odd";
    case Severity::damage:
      return "damage";
    case Severity::lost:
      return "lost";
  }
  return {};
}

void Diagnostics::count(const DiagnosticKind& kind, std::int64_t offset, std::string_view text,
                        std::uint64_t cases) {
  if (cases == 0) return;
  add(kind.code, {.count = cases,
                  .first_offset = offset,
                  .severity = kind.severity,
                  .text = std::string(text.empty() ? kind.text : text),
                  .advice = std::string(kind.advice),
                  .ends_early = kind.ends_early});
}

void Diagnostics::add(std::string_view code, const Diagnostic& cases) {
  const auto found = by_code_.find(code);
  if (found == by_code_.end()) {
    by_code_.emplace(code, cases);
    return;
  }
  Diagnostic& known = found->second;
  known.count += cases.count;
  known.severity = std::max(known.severity, cases.severity);
  known.ends_early = known.ends_early || cases.ends_early;
  const bool is_first =
      cases.first_offset != kNoOffset &&
      (known.first_offset == kNoOffset || cases.first_offset < known.first_offset);
  if (!is_first) return;
  known.first_offset = cases.first_offset;
  known.text = cases.text;
  known.advice = cases.advice;
}

void Diagnostics::merge(const Diagnostics& other, std::string_view label, unsigned number) {
  for (const auto& [code, diagnostic] : other.by_code_) {
    Diagnostic cases = diagnostic;
    if (!label.empty()) cases.text = std::string(label).append(": ").append(diagnostic.text);
    add(numbered_code(code, number), cases);
  }
}

void Diagnostics::forget(std::string_view code, unsigned number) {
  by_code_.erase(numbered_code(code, number));
}

std::uint64_t Diagnostics::total(Severity at_least) const {
  std::uint64_t sum = 0;
  for (const auto& [code, diagnostic] : by_code_) {
    if (diagnostic.severity >= at_least) sum += diagnostic.count;
  }
  return sum;
}

bool Diagnostics::ends_early() const {
  return std::ranges::any_of(by_code_, [](const auto& entry) { return entry.second.ends_early; });
}

}  // namespace cinderscope
