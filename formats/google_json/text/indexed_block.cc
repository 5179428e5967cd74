#include "formats/google_json/text/indexed_block.h"

#include <simdjson.h>

#include <algorithm>
#include <new>

namespace cinderscope::google_json {
namespace {

constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING + 64;

// simdjson 4 hands implementations out through a wrapper that `->` sees through, as a pointer does.
std::unique_ptr<simdjson::internal::dom_parser_implementation> make_parser(std::size_t capacity) {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  // The depth serves the second stage, which is never run.
  if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1,
                                                                              parser)) {
    return nullptr;
  }
  return parser;
}

// Local pointers and no calls: the compiler makes vector instructions of it.
void copy_as_plain_text(const char* from, std::size_t size, char* to) {
  for (std::size_t i = 0; i < size; ++i) {
    auto byte = static_cast<unsigned char>(from[i]);
    byte = byte < 0x20 ? 0x20 : byte;
    to[i] = static_cast<char>(byte > 0x7f ? 0x7f : byte);
  }
}

}  // namespace

struct IndexedBlock::Parser {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stages;
};

IndexedBlock::IndexedBlock() : parser_(std::make_unique<Parser>()) {}
IndexedBlock::~IndexedBlock() = default;
IndexedBlock::IndexedBlock(IndexedBlock&&) noexcept = default;
IndexedBlock& IndexedBlock::operator=(IndexedBlock&&) noexcept = default;

const std::uint32_t* IndexedBlock::tokens() const {
  return parser_->stages->structural_indexes.get();
}

bool IndexedBlock::index(std::string_view text) {
  token_count_ = 0;
  const std::size_t size = text.size();
  if (copy_.size() < size + kPadding) copy_.resize(size + kPadding);
  copy_as_plain_text(text.data(), size, copy_.data());
  std::fill_n(copy_.begin() + static_cast<std::ptrdiff_t>(size), kPadding, ' ');
  if (!parser_->stages || parser_->stages->capacity() < size + 2) {
    parser_->stages = make_parser(std::max<std::size_t>(size + 2, 4096));
    if (!parser_->stages) return false;
  }

  // A string that the block cuts is closed behind the text: a second quote where the first is
  // escaped by the text's last character.
  simdjson::error_code error = simdjson::SUCCESS;
  for (std::size_t quotes = 0; quotes <= 2; ++quotes) {
    if (quotes > 0) copy_[size + quotes - 1] = '"';
    error = parser_->stages->stage1(reinterpret_cast<const std::uint8_t*>(copy_.data()),
                                    size + quotes, simdjson::stage1_mode::regular);
    if (error != simdjson::UNCLOSED_STRING) break;
  }
  std::fill_n(copy_.begin() + static_cast<std::ptrdiff_t>(size), 2, ' ');
  if (error == simdjson::EMPTY) return true;
  if (error != simdjson::SUCCESS) return false;
  token_count_ = parser_->stages->n_structural_indexes;
  while (token_count_ > 0 && tokens()[token_count_ - 1] >= size) --token_count_;
  return true;
}

}  // namespace cinderscope::google_json
