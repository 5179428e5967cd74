#include "formats/thread_stream/write/argument_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/thread_stream/write/bytes.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"
#include "ingest/part/cut_text.h"
#include "ingest/part/part_text.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::size_t kMostValueBytes = UINT16_MAX;
constexpr std::size_t kMostStackEntries = kMostValueBytes / 8;

// An object or a list within the arguments, as JSON.
std::string inner_json(const ArgsTree& args, std::size_t at) {
  RecordText inner;
  const std::uint32_t depth = args.nodes[at].depth;
  for (std::size_t i = at; i < args.nodes.size(); ++i) {
    if (i > at && args.nodes[i].depth <= depth) break;
    inner.args.nodes.push_back(args.nodes[i]);
    inner.args.nodes.back().depth -= depth;
  }
  inner.args.nodes.front().key.clear();
  std::string json = args_json(inner);
  if (args.nodes[at].kind == ArgsKind::object) return json.empty() ? "{}" : json;
  constexpr std::string_view kBefore = "{\"args\":";
  return json.substr(kBefore.size(), json.size() - kBefore.size() - 1);
}

}  // namespace

void ArgumentWriter::write(const RecordText& text_of, RecordOffset record, bool has_id,
                           StreamSink& to) {
  cut_ = false;
  to.begin_arguments();
  std::set<std::string_view> keys;
  const ArgsTree& args = text_of.args;
  if (!args.nodes.empty()) {
    const ArgsNode& root = args.nodes.front();
    if (root.kind == ArgsKind::object || !root.key.empty()) {
      const std::uint32_t depth = root.kind == ArgsKind::object ? root.depth + 1 : root.depth;
      for (std::size_t i = 0; i < args.nodes.size(); ++i) {
        if (args.nodes[i].depth != depth) continue;
        keys.insert(args.nodes[i].key);
        node(args, i, args.nodes[i].key, to);
      }
    } else {
      keys.insert("args");
      node(args, 0, "args", to);
    }
  }
  for (const auto& [key, value] : text_of.facts) {
    const bool is_id = has_id && (key == "id" || key == "id2" || key == "scope");
    if (!is_id && keys.insert(key).second) text(key, value, to);
  }
  for (const LongText& more : text_of.texts) {
    if (keys.insert(more.title).second) text(more.title, more.text, to);
  }
  if (!text_of.stack.empty()) {
    std::vector<std::string> frames;  // innermost first
    const std::size_t count = std::min(text_of.stack.size(), kMostStackEntries);
    cut_ = cut_ || count < text_of.stack.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& frame = text_of.stack[text_of.stack.size() - 1 - i];
      frames.push_back(valid_utf8(frame));
    }
    to.stack(frames);
  }
  to.end_arguments(cut_, record);
}

void ArgumentWriter::cut_mark(const PartSlice& slice, std::int64_t shift_ns, StreamSink& to) {
  if (!slice.is_cut()) return;
  word(kCutBeginKey, ArgType::i64, static_cast<std::uint64_t>(slice.whole_begin_ns - shift_ns), to);
  word(kCutDurationKey, ArgType::i64,
       static_cast<std::uint64_t>(slice.whole_end_ns - slice.whole_begin_ns), to);
}

void ArgumentWriter::node(const ArgsTree& args, std::size_t at, std::string_view key,
                          StreamSink& to) {
  const ArgsNode& node = args.nodes[at];
  switch (node.kind) {
    case ArgsKind::object:
    case ArgsKind::array:
      return text(key, inner_json(args, at), to);
    case ArgsKind::number:
      return number(key, node.value, to);
    case ArgsKind::boolean:
      return word(key, ArgType::boolean, node.value == "true" ? 1 : 0, to);
    case ArgsKind::null:
      return text(key, "null", to);
    case ArgsKind::string:
    case ArgsKind::raw:
      return text(key, node.value, to);
  }
}

// Whole numbers as such, however they are written: they are read back so.
void ArgumentWriter::number(std::string_view key, const std::string& digits, StreamSink& to) {
  std::string plain = digits;
  const auto real = parse_number<double>(digits);
  const bool is_whole = parse_number<std::int64_t>(plain) || parse_number<std::uint64_t>(plain);
  if (!is_whole && real && std::isfinite(*real)) plain = JsonWriter().number(*real).str();
  if (const auto whole = parse_number<std::int64_t>(plain)) {
    return word(key, ArgType::i64, static_cast<std::uint64_t>(*whole), to);
  }
  if (const auto whole = parse_number<std::uint64_t>(plain)) {
    return word(key, ArgType::u64, *whole, to);
  }
  if (!real || !std::isfinite(*real)) return text(key, digits, to);
  word(key, ArgType::f64, std::bit_cast<std::uint64_t>(*real), to);
}

void ArgumentWriter::text(std::string_view key, std::string_view value, StreamSink& to) {
  const std::string valid = valid_utf8(value);
  cut_ = cut_ || valid.size() > kMostValueBytes;
  to.argument(valid_utf8(key), ArgType::text, cut_text(valid, kMostValueBytes));
}

void ArgumentWriter::word(std::string_view key, ArgType type, std::uint64_t value, StreamSink& to) {
  std::string bytes;
  append_value(bytes, value);
  to.argument(valid_utf8(key), type, bytes);
}

}  // namespace cinderscope::thread_stream
