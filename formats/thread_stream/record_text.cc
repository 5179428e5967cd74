#include "formats/thread_stream/record_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "ingest/base/json/json_writer.h"

namespace cinderscope::thread_stream {
namespace {

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Shorter ones are taken as if zeros followed.
std::uint64_t word_of(const std::vector<std::byte>& bytes, std::size_t at = 0) {
  std::uint64_t word = 0;
  if (at < bytes.size()) {
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
  }
  return word;
}

std::string hex_of(const std::vector<std::byte>& bytes) {
  std::string hex;
  for (const std::byte byte : bytes) hex += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return hex;
}

void write_value(const AttachedValue& arg, const Tables& tables, JsonWriter& out) {
  const std::uint64_t word = word_of(arg.bytes);
  switch (static_cast<ArgType>(arg.head.site >> kArgKeyBits)) {
    case ArgType::text:
      out.text(text_of(arg.bytes));
      return;
    case ArgType::i64:
      out.number(static_cast<std::int64_t>(word));
      return;
    case ArgType::u64:
      out.number(word);
      return;
    case ArgType::f64: {
      const auto number = std::bit_cast<double>(word);
      if (std::isfinite(number)) {
        out.number(number);
      } else {
        out.text(fmt::format("{}", number));
      }
      return;
    }
    case ArgType::boolean:
      out.boolean(word != 0);
      return;
    case ArgType::pointer:
      out.text(fmt::format("{:#x}", word));
      return;
    case ArgType::string_id: {
      const auto id = static_cast<std::uint32_t>(word);
      const auto text = word > UINT32_MAX ? std::nullopt : tables.string(id);
      out.text(text ? std::string(*text) : fmt::format("string #{}", word));
      return;
    }
  }
  out.text(hex_of(arg.bytes));
}

std::uint32_t key_of(const AttachedValue& arg) {
  return arg.head.site & ((1u << kArgKeyBits) - 1);
}

bool is_cut_mark(const AttachedValue& arg, const Tables& tables) {
  if (static_cast<ArgType>(arg.head.site >> kArgKeyBits) != ArgType::i64) return false;
  const auto text = tables.string(key_of(arg));
  return text == kCutBeginKey || text == kCutDurationKey;
}

// What a call was of which only a part was written.
std::optional<CutFrom> cut_of(const RecordData& data, const Tables& tables) {
  std::optional<std::int64_t> begin_ns, duration_ns;
  for (const AttachedValue& arg : data.attached) {
    if (arg.head.kind != kind::kArg || !is_cut_mark(arg, tables)) continue;
    const bool is_begin = tables.string(key_of(arg)) == kCutBeginKey;
    (is_begin ? begin_ns : duration_ns) = static_cast<std::int64_t>(word_of(arg.bytes));
  }
  if (!begin_ns || !duration_ns) return std::nullopt;
  return CutFrom{*begin_ns, *duration_ns};
}

void write_args(const RecordData& data, const Tables& tables, JsonWriter& out) {
  for (const AttachedValue& arg : data.attached) {
    if (arg.head.kind != kind::kArg || is_cut_mark(arg, tables)) continue;
    const std::uint32_t key = key_of(arg);
    const auto text = tables.string(key);
    out.key(text ? std::string(*text) : fmt::format("key #{}", key));
    write_value(arg, tables, out);
  }
}

bool has_args(const RecordData& data, const Tables& tables) {
  return std::ranges::any_of(data.attached, [&](const auto& value) {
    return value.head.kind == kind::kArg && !is_cut_mark(value, tables);
  });
}

std::string place_text(const std::string& file, std::uint32_t line) {
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

// Innermost first.
std::vector<std::string> stack_lines(const AttachedValue& stack, std::uint64_t tick,
                                     const Tables& tables, const CodeNames& names) {
  std::vector<std::string> lines;
  const std::uint32_t kind = stack.head.site & 0xff;
  const std::size_t snapshot = names.snapshot_at(tick);
  for (std::size_t at = 0; at + 8 <= stack.bytes.size(); at += 8) {
    const std::uint64_t entry = word_of(stack.bytes, at);
    if (kind == kJavaStack) {
      const auto text =
          entry > UINT32_MAX ? std::nullopt : tables.string(static_cast<std::uint32_t>(entry));
      lines.push_back(text ? std::string(*text) : fmt::format("string #{}", entry));
    } else if (kind == kManagedStack) {
      lines.push_back(names
                          .managed(static_cast<std::uint32_t>(entry >> 32),
                                   static_cast<std::uint32_t>(entry), 0)
                          .text);
    } else if (kind == kNativeStack) {
      // A return address is that of the instruction behind the call.
      const bool is_counter = at == 0 && (stack.head.site & kBeginsWithCounter) != 0;
      for (const StackFrame& frame : names.frames(entry - (is_counter ? 0 : 1), snapshot)) {
        lines.push_back(frame.file.empty() ? frame.function
                                           : fmt::format("{} ({})", frame.function,
                                                         place_text(frame.file, frame.line)));
      }
    } else {
      lines.push_back(fmt::format("{:#x}", entry));
    }
  }
  return lines;
}

std::string stack_title(std::uint32_t kind, bool at_end) {
  const std::string_view what = kind == kNativeStack    ? "Native stack"
                                : kind == kJavaStack    ? "Java stack"
                                : kind == kManagedStack ? "Managed stack"
                                                        : "Stack";
  return fmt::format("{}{}", what, at_end ? " at the end" : "");
}

// The first is the record's; further ones are texts.
void add_stacks(const RecordData& data, bool at_end, const Tables& tables, const CodeNames& names,
                RecordText& out) {
  for (const AttachedValue& stack : data.attached) {
    if (stack.head.kind != kind::kStack) continue;
    std::vector<std::string> lines = stack_lines(stack, data.effective_tick, tables, names);
    if (lines.empty()) continue;
    if (!at_end && out.stack.empty()) {
      std::ranges::reverse(lines);
      out.stack = std::move(lines);
      continue;
    }
    out.texts.push_back(
        {stack_title(stack.head.site & 0xff, at_end), fmt::format("{}", fmt::join(lines, "\n"))});
  }
}

void add_site_facts(std::uint32_t id, const Tables& tables, RecordText& out) {
  const Site* site = tables.sites.find(id);
  if (site == nullptr) return;
  out.category = tables.text(site->category);
  const std::string file(tables.text(site->file));
  if (!file.empty()) out.facts.emplace_back("Source", place_text(file, site->line));
}

void add_facts(const RecordData& data, const Tables& tables, const CodeNames& names,
               RecordText& out) {
  const Record& record = data.record;
  switch (record.kind) {
    case kind::kEnterAddress: {
      const std::uint64_t address = std::uint64_t{record.aux} << 32 | record.site;
      const std::size_t snapshot = names.snapshot_at(data.effective_tick);
      out.facts.emplace_back("Address", fmt::format("{:#x}", address));
      const StackFrame frame = names.frames(address, snapshot).back();
      if (!frame.file.empty()) {
        out.facts.emplace_back("Source", place_text(frame.file, frame.line));
      }
      return;
    }
    case kind::kEnterManaged:
      out.facts.emplace_back("Assembly", fmt::format("#{}", record.aux));
      out.facts.emplace_back("Method token", fmt::format("0x{:08x}", record.site));
      if (data.class_token != 0) {
        out.facts.emplace_back("Class token", fmt::format("0x{:08x}", data.class_token));
      }
      return;
    case kind::kAsyncBegin:
      if (data.value) out.facts.emplace_back("id", fmt::format("{:#x}", *data.value));
      [[fallthrough]];
    default:
      add_site_facts(record.site, tables, out);
  }
}

}  // namespace

RecordText record_text(const RecordData& begin, const RecordData* end, const Tables& tables,
                       const CodeNames& names) {
  RecordText out;
  add_facts(begin, tables, names, out);
  out.cut = cut_of(begin, tables);
  if (has_args(begin, tables) || (end != nullptr && has_args(*end, tables))) {
    JsonWriter args;
    args.begin_object();
    write_args(begin, tables, args);
    if (end != nullptr) write_args(*end, tables, args);
    args.end_object();
    out.args = parse_args(args.str());
    out.args.cut = out.args.cut || begin.cut || (end != nullptr && end->cut);
  }
  add_stacks(begin, false, tables, names, out);
  if (end != nullptr) add_stacks(*end, true, tables, names, out);
  return out;
}

}  // namespace cinderscope::thread_stream
