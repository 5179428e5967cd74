#include "formats/lincheck/text/record_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "formats/lincheck/packed_trace.h"
#include "formats/lincheck/text/diff_names.h"
#include "formats/lincheck/text/java_text.h"
#include "formats/lincheck/text/point_text.h"
#include "formats/lincheck/text/short_names.h"
#include "formats/lincheck/text/value_text.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::size_t kMostArgsBytes = std::size_t{1} << 20;
constexpr int kMostValueLevels = 32;
constexpr std::int32_t kMostStackCalls = 1000;

// A value as JSON, with the fields and elements that snapshots hold.
void append_json(std::string& out, JavaReader& in, const Lookup& names, int levels_left) {
  JavaReader value = in;
  skip_value(in, names.layout());
  const std::int32_t value_tag = JavaReader(value).i32();
  std::string text;
  if (value_tag < 0) {
    JavaReader whole = value;
    if (value_tag == tag::kString) {
      whole.skip(4);
      out += json_quoted(java_text(whole.utf()));
      return;
    }
    append_value(text, whole, names);
    const bool number = value_tag <= tag::kByte && value_tag >= tag::kDouble &&
                        text.find_first_of("NI") == std::string::npos;
    const bool bare = number || value_tag == tag::kNull || value_tag == tag::kBoolean;
    out += bare ? text : json_quoted(text);
    return;
  }
  JavaReader identity = value;
  append_value(text, identity, names);
  value.skip(8);
  const std::int32_t count = names.layout().value_contents ? value.i32() : 0;
  const bool is_array = count < 0;
  const std::int64_t parts = is_array ? -(std::int64_t{count} + 1) : count;
  if (parts == 0 || levels_left == 0) {
    out += json_quoted(text);
    return;
  }
  fmt::format_to(std::back_inserter(out), "{{{}:{}", json_quoted(text), is_array ? '[' : '{');
  for (std::int64_t i = 0; i < parts && !value.cut() && out.size() < kMostArgsBytes; ++i) {
    if (i > 0) out += ',';
    if (!is_array) {
      out += json_quoted(java_text(value.utf()));
      out += ':';
    }
    append_json(out, value, names, levels_left - 1);
  }
  out += is_array ? "]}" : "}}";
}

class Details {
 public:
  Details(const Lookup& names, std::span<const std::byte> diff_events)
      : names_(names), diff_events_(diff_events) {}

  RecordText describe(RecordOffset record, RecordOffset footer) {
    JavaReader in(names_.data(), record);
    PointHead head;
    if (names_.layout().kind_of_byte[in.u8()] != Kind::trace_point) return {};
    if (!read_head(in, names_.layout(), head) || in.cut()) return {};
    std::string line;
    append_line(line, record, footer, names_, {});
    text_.line = line;
    fact("text", std::move(line));
    fact("event", fmt::to_string(head.event));
    place(head.location);
    point(head, in, footer);
    if (head.diff_status >= 0) diff(head, record);
    if (!args_.empty()) text_.args = parse_args("{" + args_ + "}");
    return std::move(text_);
  }

 private:
  void fact(std::string key, std::string value) {
    text_.facts.emplace_back(std::move(key), std::move(value));
  }
  void arg(std::string_view key, JavaReader& in) {
    if (args_.size() > kMostArgsBytes) {
      skip_value(in, names_.layout());
      return;
    }
    if (!args_.empty()) args_ += ',';
    args_ += json_quoted(key);
    args_ += ':';
    append_json(args_, in, names_, kMostValueLevels);
  }
  std::string value(JavaReader& in) {
    std::string text;
    append_value(text, in, names_);
    return text;
  }

  void diff(const PointHead& head, RecordOffset record) {
    fact("diff", std::string(diff_words(head.diff_status)));
    const DiffEvent events = diff_event(diff_events_, head.event);
    if (events.left >= 0) fact("event on the left", fmt::to_string(events.left));
    if (events.right >= 0) fact("event on the right", fmt::to_string(events.right));
    if (!is_container(head.point)) return;
    constexpr std::uint64_t kStatusesAt =
        15;  // behind the head, which every version with diffs has
    JavaReader in(names_.data(), record + kStatusesAt);
    std::string inside;
    for (std::uint8_t left = in.u8(); left > 0 && !in.cut(); --left) {
      const std::string_view words = diff_words(in.i8());
      if (!words.empty()) inside.append(inside.empty() ? "" : "; ").append(words);
    }
    if (!inside.empty()) fact("right inside", inside);
  }

  void place(std::int32_t location) {
    place_ = names_.location(location);
    if (!place_.known) return;
    fact("location", fmt::format("{}:{}", place_.file, place_.line));
    fact("in", fmt::format("{}.{}", place_.class_name, place_.method));
    const std::string path = path_text(place_.path, names_, false);
    if (!path.empty()) fact("access path", path);
  }

  void point(const PointHead& head, JavaReader& in, RecordOffset footer) {
    switch (head.point) {
      case PointClass::call:
        return call(in, footer);
      case PointClass::array_read:
      case PointClass::array_write: {
        const bool read = head.point == PointClass::array_read;
        kind(read ? "array read" : "array write");
        fact("array", value(in));
        fact("index", fmt::to_string(in.i32()));
        return arg(read ? "value" : "new value", in);
      }
      case PointClass::variable_read:
      case PointClass::variable_write: {
        const bool read = head.point == PointClass::variable_read;
        kind(read ? "variable read" : "variable write");
        const Variable variable = names_.variable(in.i32());
        fact("variable", typed(variable.name, variable.type));
        return arg(read ? "value" : "new value", in);
      }
      case PointClass::field_read:
      case PointClass::field_write:
        return field(in, head.point == PointClass::field_read);
      case PointClass::loop: {
        kind("loop");
        fact("loop", fmt::to_string(in.i32()));
        if (footer == kNoRecord) return fact("iterations", "unknown: the data end inside");
        JavaReader end(names_.data(), footer + 1);
        return fact("iterations", fmt::to_string(end.i32()));
      }
      case PointClass::iteration:
        kind("loop iteration");
        fact("loop", fmt::to_string(in.i32()));
        return fact("iteration", fmt::to_string(std::int64_t{in.i32()} + 1));
      case PointClass::snapshot:
        return snapshot(in);
      case PointClass::throwing:
        kind("throw");
        return arg("exception", in);
      case PointClass::catching:
        kind("catch");
        return arg("exception", in);
    }
  }

  void kind(const char* what) { text_.category = what; }
  static std::string typed(const std::string& name, const std::string& type) {
    return type.empty() ? name : type + " " + name;
  }

  void call(JavaReader& in, RecordOffset footer) {
    const Method method = names_.method(in.i32());
    kind(method.name == "<init>" ? "constructor call" : "method call");
    std::string signature =
        fmt::format("{} {}.{}(", method.result_type, method.class_name, method.name);
    for (std::size_t i = 0; i < method.argument_types.size(); ++i) {
      signature += (i > 0 ? ", " : "") + method.argument_types[i];
    }
    fact("method", signature + ")");
    const bool is_static = JavaReader(in).i32() == tag::kNull;
    if (is_static) {
      skip_value(in, names_.layout());
      if (method.name != "<init>") fact("receiver", "none (static)");
    } else {
      fact("receiver", value(in));
    }
    const std::int32_t count = in.i32();
    for (std::int32_t i = 0; i < count && !in.cut(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      std::string key = fmt::format("{}", std::int64_t{i} + 1);
      if (at < method.argument_types.size()) key += " " + method.argument_types[at];
      if (at < place_.argument_paths.size()) {
        const std::string path = path_text(place_.argument_paths[at], names_, false);
        if (!path.empty()) key += " " + path;
      }
      arg(key, in);
    }
    if (names_.layout().call_flags && (in.i16() & kBeganBeforeRecording) != 0) {
      fact("incomplete", "the call began before the recording did");
    }
    if (footer == kNoRecord) return fact("result", "unknown: the data end inside the call");
    JavaReader end(names_.data(), footer + 1);
    JavaReader result = end;
    skip_value(end, names_.layout());
    const std::string thrown = java_text(end.utf());
    if (!thrown.empty()) {
      fact("threw", thrown);
    } else {
      fact("result", value(result));
    }
  }

  void field(JavaReader& in, bool read) {
    kind(read ? "field read" : "field write");
    const Field field = names_.field(in.i32());
    std::string text;
    if (field.is_static) text += "static ";
    if (field.is_final) text += "final ";
    if (field.is_volatile) text += "volatile ";
    fact("field", text + typed(field.class_name + "." + field.name, field.type));
    if (JavaReader(in).i32() == tag::kNull) {
      skip_value(in, names_.layout());
    } else {
      fact("object", value(in));
    }
    arg(read ? "value" : "new value", in);
  }

  void snapshot(JavaReader& in) {
    kind("breakpoint snapshot");
    if (names_.layout().snapshot_uuid) in.skip(16);  // shown in the text
    const std::int32_t calls = in.i32();
    for (std::int32_t i = 0; i < calls && !in.cut(); ++i) {
      const std::int32_t location = in.i32();
      if (i >= kMostStackCalls) continue;
      const CodeLocation call = names_.location(location);
      text_.stack.push_back(call.known ? fmt::format("{}.{} ({}:{})", call.class_name, call.method,
                                                     call.file, call.line)
                                       : std::string(kUnknown));
    }
    text_.stack = {text_.stack.rbegin(), text_.stack.rend()};
    fact("time", utc(in.i64()));
    const std::int32_t count = in.i32();
    for (std::int32_t i = 0; i < count && !in.cut(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      arg(at < place_.locals.size() ? names_.string(place_.locals[at]) : fmt::format("local {}", i),
          in);
    }
    if (names_.layout().snapshot_trace_id && in.boolean()) fact("trace id", java_text(in.utf()));
  }

  static std::string utc(std::int64_t ms) {
    constexpr std::int64_t kLastYear9999 = 253402300799999;
    if (ms < 0 || ms > kLastYear9999) return fmt::format("{} ms since 1970", ms);
    const auto seconds = static_cast<std::time_t>(ms / 1000);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} UTC", fmt::gmtime(seconds), ms % 1000);
  }

  const Lookup& names_;
  std::span<const std::byte> diff_events_;
  RecordText text_;
  CodeLocation place_;
  std::string args_;  // members of a JSON object
};

}  // namespace

RecordText record_text(RecordOffset record, RecordOffset footer, const Lookup& names,
                       std::span<const std::byte> diff_events) {
  return Details(names, diff_events).describe(record, footer);
}

}  // namespace cinderscope::lincheck
