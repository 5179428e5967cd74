#include "formats/lincheck/text/point_text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "formats/lincheck/text/java_text.h"
#include "formats/lincheck/text/short_names.h"
#include "formats/lincheck/text/value_text.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::string_view kArrow = " \u279c ";
constexpr std::string_view kEquals = " = ";

std::string value_text(JavaReader in, const Lookup& names) {
  std::string text;
  append_value(text, in, names);
  return text;
}

std::int32_t tag_of(JavaReader in) {
  return in.i32();
}

// Its text alone tells the value, as opposed to an identity.
bool is_telling(std::int32_t value_tag) {
  return value_tag < 0 && value_tag != tag::kNull && value_tag != tag::kVoid;
}

bool has_path(const CodeLocation& location, const Lookup& names) {
  return location.path >= 0 && !names.path(location.path).empty();
}

std::string path_owner(std::int32_t path, const Lookup& names) {
  const std::string singleton = singleton_class(path, names);
  return singleton.empty() ? path_text(path, names, true) : singleton;
}

class Line {
 public:
  Line(std::string& out, const Lookup& names, LineOptions options)
      : out_(out), names_(names), options_(options) {}

  void point(RecordOffset record, RecordOffset footer) {
    JavaReader in(names_.data(), record);
    if (names_.layout().kind_of_byte[in.u8()] != Kind::trace_point) return;
    PointHead head;
    if (!read_head(in, names_.layout(), head) || in.cut()) return;
    static constexpr std::array kMarks = {"  ", "- ", "+ ", "! ", "! "};
    const auto mark = static_cast<std::uint8_t>(head.diff_status);  // below 0: beyond the marks
    if (mark < kMarks.size()) {
      out_ += kMarks[mark];
    } else if (options_.mark_unchanged) {
      out_ += "  ";
    }
    location_ = names_.location(head.location);
    if (options_.instead_of != kNoRecord) stand_in(head);
    switch (head.point) {
      case PointClass::call:
        call(in, footer);
        break;
      case PointClass::array_read:
      case PointClass::array_write:
        array(in, head.point == PointClass::array_read);
        break;
      case PointClass::variable_read:
      case PointClass::variable_write:
        out_ += short_variable(names_.variable(in.i32()).name);
        out_ += head.point == PointClass::variable_read ? kArrow : kEquals;
        append_value(out_, in, names_);
        break;
      case PointClass::field_read:
      case PointClass::field_write:
        field(in, head.point == PointClass::field_read);
        break;
      case PointClass::loop:
        loop(footer);
        break;
      case PointClass::iteration:
        in.skip(4);
        append(out_, "<iteration {}>", std::int64_t{in.i32()} + 1);
        break;
      case PointClass::snapshot:
        snapshot(in, head.location);
        return;
      case PointClass::throwing:
        out_ += "throw ";
        append_value(out_, in, names_);
        break;
      case PointClass::catching:
        out_ += "catch(";
        append_value(out_, in, names_);
        out_ += ')';
        break;
    }
    if (options_.with_places) append_place(out_, head.location, names_);
  }

 private:
  // Takes over where the other call was made, and, being an access, from whom it was asked.
  void stand_in(PointHead& head) {
    JavaReader in(names_.data(), options_.instead_of + 1);
    PointHead call;
    if (!read_head(in, names_.layout(), call) || in.cut()) return;
    head.location = call.location;
    if (head.point == PointClass::call) return;
    const CodeLocation place = names_.location(call.location);
    if (has_path(place, names_)) location_.path = place.path;
  }

  void call(JavaReader& in, RecordOffset footer) {
    const Method method = names_.method(in.i32());
    const JavaReader receiver = in;
    skip_value(in, names_.layout());
    if (method.name == "<init>") {
      append(out_, "new {}", short_class(method.class_name));
    } else {
      const std::string owner = call_owner(method, receiver);
      if (!owner.empty()) append(out_, "{}.", owner);
      out_ += short_method(method.name);
    }
    out_ += '(';
    const std::int32_t count = in.i32();
    for (std::int32_t i = 0; i < count && !in.cut(); ++i) {
      if (i > 0) out_ += ", ";
      argument(in, static_cast<std::size_t>(i));
    }
    out_ += ')';
    result(footer);
  }

  std::string call_owner(const Method& method, JavaReader receiver) {
    const bool is_static = tag_of(receiver) == tag::kNull;
    if (is_static && is_called_inside(method.class_name)) return {};
    if (has_path(location_, names_)) return path_owner(location_.path, names_);
    if (!is_static) return value_text(receiver, names_);
    return method.class_name.ends_with("Kt") ? std::string() : short_class(method.class_name);
  }

  bool is_called_inside(std::string_view class_name) {
    if (!options_.caller) {
      return location_.known && is_same_class(location_.class_name, class_name);
    }
    if (*options_.caller == kNoId) return false;
    const Method caller = names_.method(*options_.caller);
    return caller.known && caller.class_name == class_name;
  }

  void argument(JavaReader& in, std::size_t i) {
    const std::string path = i < location_.argument_paths.size()
                                 ? path_text(location_.argument_paths[i], names_, false)
                                 : std::string();
    if (path.empty()) {
      append_value(out_, in, names_);
      return;
    }
    out_ += path;
    if (is_telling(tag_of(in))) {
      out_ += kArrow;
      append_value(out_, in, names_);
    } else {
      skip_value(in, names_.layout());
    }
  }

  void result(RecordOffset footer) {
    if (footer == kNoRecord) {
      out_ += ": <unfinished method>";
      return;
    }
    JavaReader in(names_.data(), footer);
    in.skip(1);
    const JavaReader value = in;
    skip_value(in, names_.layout());
    const std::string thrown = java_text(in.utf());
    if (!thrown.empty()) {
      append(out_, ": threw {}", thrown);
      return;
    }
    JavaReader text = value;
    const std::int32_t value_tag = text.i32();
    if (value_tag == tag::kVoid) return;
    const std::string_view special = value_tag == tag::kString ? text.utf() : std::string_view();
    if (special == "<unfinished method>" || special == "<untracked result>") {
      append(out_, ": {}", special);
    } else {
      append(out_, ": {}", value_text(value, names_));
    }
  }

  // Whose field or element it is: the path, else the object.
  std::string owner(JavaReader object, std::string_view class_name) {
    if (has_path(location_, names_)) return path_owner(location_.path, names_);
    if (tag_of(object) != tag::kNull || class_name.empty()) return value_text(object, names_);
    return short_class(class_name);
  }

  void field(JavaReader& in, bool is_read) {
    const Field field = names_.field(in.i32());
    const std::string of = owner(in, field.class_name);
    skip_value(in, names_.layout());
    out_ += of;
    if (field.name != "element" || !is_kotlin_box(field.class_name)) {
      if (!of.empty()) out_ += '.';
      out_ += short_field(field.name);
    }
    out_ += is_read ? kArrow : kEquals;
    append_value(out_, in, names_);
  }

  void array(JavaReader& in, bool is_read) {
    out_ += owner(in, {});
    skip_value(in, names_.layout());
    append(out_, "[{}]{}", in.i32(), is_read ? kArrow : kEquals);
    append_value(out_, in, names_);
  }

  void loop(RecordOffset footer) {
    if (footer == kNoRecord) {
      out_ += "loop(<unfinished>)";
      return;
    }
    JavaReader in(names_.data(), footer);
    in.skip(1);
    append(out_, "loop({} iterations)",
           std::int64_t{in.i32()} - (options_.fewer_iterations ? 1 : 0));
  }

  void snapshot(JavaReader& in, std::int32_t location) {
    out_ += "Live breakpoint";
    if (names_.layout().snapshot_uuid) {
      const auto high = static_cast<std::uint64_t>(in.i64());
      const auto low = static_cast<std::uint64_t>(in.i64());
      append(out_, " [{:08x}-{:04x}-{:04x}-{:04x}-{:012x}]", high >> 32, high >> 16 & 0xffff,
             high & 0xffff, low >> 48, low & 0xffffffffffff);
    }
    if (options_.with_places) append_place(out_, location, names_);
    out_ += ", stacktrace: [";
    constexpr std::int32_t kMostCalls = 3;
    const std::int32_t count = in.i32();
    for (std::int32_t i = 0; i < count && i < kMostCalls && !in.cut(); ++i) {
      const CodeLocation call = names_.location(in.i32());
      append(out_, "{}{}.{}", i > 0 ? ", " : "",
             call.known ? short_class(dotted(call.class_name)) : std::string(kUnknown),
             call.known ? std::string(short_method(call.method)) : std::string(kUnknown));
    }
    if (count > kMostCalls) append(out_, " ... ({} more)", count - kMostCalls);
    out_ += ']';
  }

  static std::string dotted(std::string name) {
    for (char& c : name) c = c == '/' ? '.' : c;
    return name;
  }

  std::string& out_;
  const Lookup& names_;
  LineOptions options_;
  CodeLocation location_;
};

}  // namespace

void append_place(std::string& out, std::int32_t location, const Lookup& names) {
  out += " at ";
  if (location < 0) {
    out += ":0";
    return;
  }
  const CodeLocation place = names.location(location);
  append(out, "{}:{}", place.known ? place.file : std::string(kUnknown), place.line);
}

void append_line(std::string& out, RecordOffset record, RecordOffset footer, const Lookup& names,
                 LineOptions options) {
  Line(out, names, options).point(record, footer);
}

}  // namespace cinderscope::lincheck
