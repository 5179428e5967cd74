#include "ingest/input/input_text.h"

#include <span>
#include <utility>
#include <vector>

#include "ingest/base/utf16.h"

namespace cinderscope {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view text_of_head(const Input& input) {
  const std::span<const std::byte> head = input.head();
  return {reinterpret_cast<const char*>(head.data()), head.size()};
}

bool is_utf16(std::string_view head) {
  return head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
}

}  // namespace

std::string head_text(const Input& input) {
  if (input.is_folder()) return {};
  const std::string_view head = text_of_head(input);
  if (is_utf16(head)) return *utf8_from_utf16(head);
  return std::string(head.starts_with(kByteOrderMark) ? head.substr(kByteOrderMark.size()) : head);
}

Result<InputText> InputText::of(const Input& input) {
  Result<Pin> all = input.pin_all();
  if (!all) return all.error();
  InputText out;
  out.pin_ = std::move(*all);
  out.stream_cut_ = input.damage().has(diagnostic::kTruncated);
  if (is_utf16(text_of_head(input))) {
    const std::string text = *utf8_from_utf16(out.pin_.text());
    const auto bytes = std::as_bytes(std::span(text));
    out.converted_ = Input::from_memory(std::string(input.name()), {bytes.begin(), bytes.end()});
    Result<Pin> converted = out.converted_->pin_all();
    if (!converted) return converted.error();
    out.pin_ = std::move(*converted);
  }
  if (out.pin_.text().starts_with(kByteOrderMark)) out.skipped_ = kByteOrderMark.size();
  return out;
}

}  // namespace cinderscope
