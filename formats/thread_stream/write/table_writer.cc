#include "formats/thread_stream/write/table_writer.h"

#include <utility>

#include "formats/thread_stream/write/bytes.h"
#include "formats/thread_stream/write/chunk_header.h"
#include "ingest/part/cut_text.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::size_t kMuchBytes = 64 << 10;

}  // namespace

std::uint32_t FileTables::string(std::string_view text) {
  if (text.empty()) return 0;
  const auto known = strings_.find(text);
  if (known != strings_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(strings_.size() + 1);
  strings_.emplace(text, id);
  if (text.size() > kMostTextBytes) losses_.count(loss::kCutNames);
  const std::string kept = cut_text(text, kMostTextBytes);
  const std::size_t at = begin_entry(Tag::string);
  append_value(entries_, id);
  append_value(entries_, static_cast<std::uint32_t>(kept.size()));
  entries_ += kept;
  end_entry(at);
  return id;
}

std::uint32_t FileTables::site(StringId name_id, std::string_view name, std::string_view category) {
  const auto [known, is_new] = string_of_name_.try_emplace(name_id, 0);
  if (is_new) known->second = string(name);
  const std::uint32_t name_string = known->second, category_string = string(category);
  const auto [site, is_new_site] = sites_.try_emplace(
      {name_string, category_string}, static_cast<std::uint32_t>(sites_.size()) + 1);
  if (!is_new_site) return site->second;
  const std::size_t at = begin_entry(Tag::site);
  append_value(entries_, site->second);
  append_value(entries_, name_string);
  append_value(entries_, category_string);
  for (int i = 0; i < 4; ++i) append_value(entries_, std::uint32_t{0});
  end_entry(at);
  return site->second;
}

std::uint32_t FileTables::site(std::string_view name, std::string_view category) {
  string_of_name_.erase(kNoName);
  return site(kNoName, name, category);
}

void FileTables::fact(std::string_view key, std::string_view value) {
  const std::string kept = cut_text(value, kMostTextBytes);
  const std::size_t at = begin_entry(Tag::fact);
  append_value(entries_, static_cast<std::uint32_t>(key.size()));
  append_value(entries_, static_cast<std::uint32_t>(kept.size()));
  entries_ += key;
  entries_ += kept;
  end_entry(at);
}

void FileTables::thread(const WrittenThread& entry) {
  const std::uint32_t name = string(entry.name);
  const std::size_t at = begin_entry(Tag::thread);
  append_value(entries_, entry.stream);
  append_value(entries_, name);
  append_value(entries_, entry.tid);
  append_value(entries_, entry.first_tick);
  append_value(entries_, entry.last_tick);
  append_value(entries_, entry.records);
  append_value(entries_, std::uint64_t{0});
  // A last tick of 0 is none: then what is open would last as long as other threads do.
  append_value(entries_, entry.last_tick == 0 ? kThreadExited : std::uint32_t{0});
  append_value(entries_, std::uint32_t{0});
  end_entry(at);
}

void FileTables::clock(std::int64_t ns) {
  const std::size_t at = begin_entry(Tag::clock);
  append_value(entries_, std::uint64_t{0});
  append_value(entries_, ns);
  append_value(entries_, std::int64_t{0});
  append_value(entries_, std::uint64_t{0});
  end_entry(at);
}

std::size_t FileTables::begin_entry(Tag tag) {
  const std::size_t at = entries_.size();
  append_value(entries_, std::uint32_t{0});
  append_value(entries_, static_cast<std::uint16_t>(tag));
  append_value(entries_, std::uint16_t{0});
  return at;
}

void FileTables::end_entry(std::size_t at) {
  entries_.resize((entries_.size() + 7) / 8 * 8);
  put_value(entries_, at, static_cast<std::uint32_t>(entries_.size() - at));
  ++entry_count_;
}

void FileTables::write_much() {
  if (entries_.size() >= kMuchBytes) write();
}

void FileTables::finish() {
  end_entry(begin_entry(Tag::end));
  write();
}

void FileTables::write() {
  out_.append(whole_chunk({.kind = kTableChunk, .count = entry_count_}, entries_));
  entries_.clear();
  entry_count_ = 0;
}

}  // namespace cinderscope::thread_stream
