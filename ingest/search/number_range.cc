#include "ingest/search/number_range.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/base/number_text.h"
#include "ingest/base/time_units.h"

namespace cinderscope {

namespace {

// How a range is written: one bound behind a comparison, or two with dots between.
struct Form {
  enum class Kind : std::uint8_t { one, more, at_least, less, at_most, between };
  Kind kind = Kind::one;
  std::string_view low, high;  // `low` is the only one of all kinds but `between`
  std::size_t low_offset = 0, high_offset = 0;
};

Form form_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Form::Kind>, 4> kSigns = {
      {{">=", Form::Kind::at_least},
       {"<=", Form::Kind::at_most},
       {">", Form::Kind::more},
       {"<", Form::Kind::less}}};
  for (const auto& [sign, kind] : kSigns) {
    if (text.starts_with(sign)) return {kind, text.substr(sign.size()), {}, sign.size(), 0};
  }
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {Form::Kind::one, text, {}, 0, 0};
  return {Form::Kind::between, text.substr(0, dots), text.substr(dots + 2), 0, dots + 2};
}

Error error_at(std::size_t offset, std::string text) {
  return {.code = ErrorCode::damaged,
          .text = std::move(text),
          .offset_bytes = static_cast<std::int64_t>(offset)};
}

std::int64_t next_ns(std::int64_t ns) {
  return ns == INT64_MAX ? ns : ns + 1;
}
std::int64_t previous_ns(std::int64_t ns) {
  return ns == INT64_MIN ? ns : ns - 1;
}

}  // namespace

std::optional<Result<NumberRange>> number_range(std::string_view text) {
  const Form form = form_of(text);
  if (form.kind == Form::Kind::one) return std::nullopt;
  const std::optional<double> low = parse_number<double>(form.low),
                              high = parse_number<double>(form.high);
  NumberRange range;
  if (form.kind == Form::Kind::between) {
    // Dots stand in many a text that is no range.
    const bool is_range = (low || form.low.empty()) && (high || form.high.empty()) && (low || high);
    if (!is_range) return std::nullopt;
    if (low) range.low = *low;
    if (high) range.high = *high;
    return range;
  }
  if (!low) return error_at(form.low_offset, "A number is expected here.");
  const bool is_low = form.kind == Form::Kind::more || form.kind == Form::Kind::at_least;
  (is_low ? range.low : range.high) = *low;
  range.low_open = form.kind == Form::Kind::more;
  range.high_open = form.kind == Form::Kind::less;
  return range;
}

Result<TimeBounds> time_bounds(std::string_view text) {
  const Form form = form_of(text);
  TimeBounds bounds;
  if (form.kind == Form::Kind::between) {
    if (form.low.empty() && form.high.empty()) return error_at(0, "A time is expected here.");
    if (!form.low.empty()) {
      const Result<Nanoseconds> low = nanoseconds_from(form.low);
      if (!low) return moved(low.error(), form.low_offset);
      bounds.first_ns = low->exact ? low->floor_ns : next_ns(low->floor_ns);
    }
    if (!form.high.empty()) {
      const Result<Nanoseconds> high = nanoseconds_from(form.high);
      if (!high) return moved(high.error(), form.high_offset);
      bounds.last_ns = high->floor_ns;
    }
    return bounds;
  }
  const Result<Nanoseconds> time = nanoseconds_from(form.low);
  if (!time) return moved(time.error(), form.low_offset);
  switch (form.kind) {
    case Form::Kind::more:
      bounds.first_ns = next_ns(time->floor_ns);
      break;
    case Form::Kind::at_least:
      bounds.first_ns = time->exact ? time->floor_ns : next_ns(time->floor_ns);
      break;
    case Form::Kind::less:
      bounds.last_ns = time->exact ? previous_ns(time->floor_ns) : time->floor_ns;
      break;
    case Form::Kind::at_most:
      bounds.last_ns = time->floor_ns;
      break;
    default:
      bounds = {time->floor_ns, time->floor_ns};
      if (!time->exact) bounds.last_ns = previous_ns(bounds.last_ns);  // no time is that
  }
  return bounds;
}

}  // namespace cinderscope
