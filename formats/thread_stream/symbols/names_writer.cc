#include "formats/thread_stream/symbols/names_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ingest/input/crc32.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;  // about
constexpr std::size_t kEntryAlignment = 8;

template <class Number>
void put(std::span<std::byte> bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void put_magic(std::span<std::byte> bytes, std::string_view magic) {
  std::memcpy(bytes.data(), magic.data(), magic.size());
}

void put_crc(std::span<std::byte> header) {
  put(header, kCheckedBytes, crc32_of(header.first(kCheckedBytes)));
}

std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace

std::vector<std::byte> names_file_header() {
  std::vector<std::byte> header(kHeaderBytes);
  put_magic(header, kMagic);
  put<std::uint16_t>(header, 8, 1);
  put(header, 12, static_cast<std::uint16_t>(kHeaderBytes));
  put(header, 15, kNamesOnly);
  put(header, 16, static_cast<std::uint32_t>(kPlaceBytes));
  put_crc(header);
  return header;
}

NamesWriter::NamesWriter(const Tables& known) : known_(known) {
  known.for_each_string(
      [this](std::uint32_t id, std::string_view text) { ids_.try_emplace(std::string(text), id); });
}

std::uint32_t NamesWriter::string(std::string_view text) {
  text = text.substr(0, kMostTextBytes);
  if (text.empty()) return 0;
  const auto [found, added] = ids_.try_emplace(std::string(text), 0);
  if (!added) return found->second;
  do {
    ++last_id_;
  } while (last_id_ == 0 || known_.string(last_id_));
  found->second = last_id_;
  const std::uint32_t words[] = {last_id_, static_cast<std::uint32_t>(text.size())};
  add(Tag::string, words, text);
  return last_id_;
}

void NamesWriter::add(Tag tag, std::span<const std::uint32_t> words, std::string_view text) {
  const std::size_t used = kEntryHeaderBytes + words.size_bytes() + text.size();
  std::vector<std::byte> whole((used + kEntryAlignment - 1) / kEntryAlignment * kEntryAlignment);
  put(whole, 0, static_cast<std::uint32_t>(whole.size()));
  put(whole, 4, static_cast<std::uint16_t>(tag));
  std::memcpy(whole.data() + kEntryHeaderBytes, words.data(), words.size_bytes());
  if (!text.empty()) std::memcpy(whole.data() + used - text.size(), text.data(), text.size());
  entry(whole);
}

void NamesWriter::entry(std::span<const std::byte> whole) {
  if (chunks_.empty() || chunks_.back().payload.size() + whole.size() > kChunkBytes) {
    chunks_.emplace_back();
  }
  Gathered& chunk = chunks_.back();
  chunk.payload.insert(chunk.payload.end(), whole.begin(), whole.end());
  ++chunk.entries;
}

void NamesWriter::fact(std::string_view key, std::string_view value) {
  const std::uint32_t words[] = {static_cast<std::uint32_t>(key.size()),
                                 static_cast<std::uint32_t>(value.size())};
  add(Tag::fact, words, std::string(key).append(value));
}

void NamesWriter::symbol(const Tables::Address& place, std::span<const FoundFrame> frames) {
  std::vector<std::uint32_t> words{place.module, static_cast<std::uint32_t>(frames.size()),
                                   low(place.elf), low(place.elf >> 32)};
  for (const FoundFrame& frame : frames) {
    const bool inlined = &frame != &frames.back();
    words.insert(words.end(),
                 {string(frame.function), string(frame.file), frame.line, inlined ? 1u : 0u});
  }
  add(Tag::symbol, words);
}

void NamesWriter::assembly(std::uint32_t ordinal, std::string_view name) {
  const std::uint32_t words[] = {ordinal, string(name), 0, 0, 0, 0};
  add(Tag::assembly, words);
}

void NamesWriter::managed_class(std::uint32_t ordinal, std::uint32_t token, std::string_view name) {
  const std::uint32_t words[] = {ordinal, token, string(name), 0};
  add(Tag::managed_class, words);
}

void NamesWriter::method(std::uint32_t ordinal, std::uint32_t token, std::uint32_t class_token,
                         std::string_view name) {
  const std::uint32_t words[] = {ordinal, token, class_token, string(name)};
  add(Tag::method, words);
}

std::vector<std::byte> NamesWriter::take_chunks(std::uint64_t alignment) {
  std::vector<std::byte> out;
  for (const Gathered& chunk : std::exchange(chunks_, {})) {
    const std::size_t at = out.size();
    const std::size_t end = at + kChunkHeaderBytes + chunk.payload.size();
    out.resize((end + alignment - 1) / alignment * alignment);
    const auto header = std::span(out).subspan(at, kChunkHeaderBytes);
    put_magic(header, kChunkMagic);
    put(header, 4, kTableChunk);
    put(header, 8, static_cast<std::uint32_t>(chunk.payload.size()));
    put(header, 12, static_cast<std::uint32_t>(chunk.payload.size()));
    put(header, 48, chunk.entries);
    put(header, 56, crc32_of(chunk.payload));
    put_crc(header);
    std::ranges::copy(chunk.payload,
                      out.begin() + static_cast<std::ptrdiff_t>(at + kChunkHeaderBytes));
  }
  return out;
}

}  // namespace cinderscope::thread_stream
