#include "ingest/search/text_replace.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

namespace cinderscope {
namespace {

std::size_t parting(std::string_view rule) {
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] == '\\') {
      ++i;
    } else if (rule[i] == '=') {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Status TextReplace::add(std::string_view rule) {
  const std::size_t at = parting(rule);
  if (at == std::string_view::npos || at == 0) return refused("REGEX=TEXT is expected.");
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(16 << 20);
  auto expression = std::make_shared<re2::RE2>(std::string(rule.substr(0, at)), options);
  if (!expression->ok()) return refused(expression->error() + ".");
  std::string text(rule.substr(at + 1));
  std::string problem;
  if (!expression->CheckRewriteString(text, &problem)) return refused(problem + ".");
  rules_.push_back({std::move(expression), std::move(text)});
  return ok();
}

std::string TextReplace::changed(std::string_view text) const {
  std::string out(text);
  for (const Rule& rule : rules_) re2::RE2::GlobalReplace(&out, *rule.expression, rule.text);
  return out;
}

}  // namespace cinderscope
