#include "app/picture/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "app/picture/font_data.h"
#include "app/picture/other_fonts.h"
#include "ingest/base/ascii.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/number_text.h"
#include "ingest/base/path_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/atomic_file.h"
#include "render/pictures/svg_writer.h"
#include "render/text/size_text.h"
#include "render/text/visual_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kFileWords = {"svg", "png", "pdf"};

// Characters of the picture that no built-in font has.
std::set<char32_t> missing_characters(const DrawList& list, const TextMeasure& measure) {
  constexpr std::size_t kMost = 6000;
  std::set<char32_t> missing;
  for (const PictureItem& item : list.items) {
    const auto* text = std::get_if<PictureText>(&item);
    if (text == nullptr) continue;
    // Arabic letters take other forms where they join.
    const std::string shown = needs_visual(text->text) ? visual_text(text->text) : text->text;
    for (std::size_t at = 0; at < shown.size() && missing.size() < kMost;) {
      const char32_t code = next_character(shown, at);
      if (code >= 0x80 && !measure.has(text->font, code) &&
          !measure.has(PictureFont::numbers, code)) {
        missing.insert(code);
      }
    }
  }
  return missing;
}

// A PDF's date: never that of now, so that equal pictures are equal files.
std::string pdf_date() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  const auto seconds =
      text == nullptr ? std::optional<std::int64_t>() : parse_number<std::int64_t>(text);
  constexpr std::int64_t kLast = 253'402'300'799;  // of the year 9999
  if (!seconds || *seconds < 0 || *seconds > kLast) return "2000-01-01T00:00:00Z";
  const std::chrono::sys_seconds time{std::chrono::seconds(*seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

bool is_input(const fs::path& path, const std::string& input) {
  std::error_code failed;
  if (fs::equivalent(path, path_of(input), failed)) return true;
  if (!fs::is_directory(path_of(input), failed) || !fs::exists(path, failed)) return false;
  const fs::path inside = fs::canonical(path, failed);
  const fs::path folder = fs::canonical(path_of(input), failed);
  return std::mismatch(folder.begin(), folder.end(), inside.begin(), inside.end()).first ==
         folder.end();
}

}  // namespace

std::string_view word_of(PictureFormat format) {
  return kFileWords.at(static_cast<std::size_t>(format));
}

std::optional<PictureFormat> picture_format(std::string_view word) {
  for (const PictureFormat format : {PictureFormat::svg, PictureFormat::png, PictureFormat::pdf}) {
    if (word == word_of(format)) return format;
  }
  return std::nullopt;
}

std::optional<PictureFormat> format_of_path(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::nullopt
                                       : picture_format(ascii_lower(path.substr(dot + 1)));
}

PictureLook look_of(const PictureStyle& style) {
  return {.theme = style.theme,
          .colour_blind = style.colour_blind,
          .scale = style.font_px / 13,
          .paper = style.background.value_or(theme_colours(style.theme).background)};
}

PictureSheet sheet_of(const PictureStyle& style) {
  return {.look = look_of(style),
          .width_px = style.width_px,
          .height_px = style.height_px,
          .frame_px = style.frame_px,
          .title = style.title,
          .caption = style.caption};
}

const PictureFonts& built_in_fonts() {
  static const PictureFonts fonts{words_font_file(), heads_font_file(), numbers_font_file()};
  return fonts;
}

std::optional<Rgba> picture_colour(std::string_view text) {
  if (text == "none") return Rgba{0};
  if (text == "white") return rgb(0xffffff);
  if (text == "black") return rgb(0x000000);
  if (text.starts_with('#')) text.remove_prefix(1);
  std::uint32_t value = 0;
  if (text.size() != 6 && text.size() != 3) return std::nullopt;
  for (const char c : text) {
    const char low = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool digit = low >= '0' && low <= '9';
    if (!digit && (low < 'a' || low > 'f')) return std::nullopt;
    const auto nibble = static_cast<std::uint32_t>(digit ? low - '0' : low - 'a' + 10);
    value = value << 4 | nibble;
    if (text.size() == 3) value = value << 4 | nibble;
  }
  return rgb(value);
}

std::string picture_metadata(std::string_view of, std::string_view trace, TimeAxis axis,
                             std::int64_t begin_ns, std::int64_t end_ns) {
  JsonWriter json;
  json.begin_object().field("cinderscope", 1).field("of", of);
  fs::path path = path_of(trace);
  if (!path.has_filename()) path = path.parent_path();  // a folder
  if (!trace.empty() && trace != "-") json.field("trace", utf8_of(path.filename()));
  json.field("begin", begin_ns).field("end", end_ns);
  json.field("axis", axis == TimeAxis::nanoseconds ? "ns" : "events");
  if (!axis.unit.text().empty()) json.field("unit", axis.unit.text());
  json.end_object();
  return json.str();
}

Result<std::string> picture_bytes(const PictureStyle& style, const DrawList& list) {
  const SelfTraceMark mark("paint the picture", "boxes", static_cast<std::int64_t>(list.box_count));
  const TextMeasure measure(built_in_fonts());
  if (style.format == PictureFormat::svg) return svg_of(list, measure, style.outlines);
  CairoFonts fonts{built_in_fonts(), {}};
  if (style.other_fonts) fonts.others = other_fonts(missing_characters(list, measure));
  if (style.format == PictureFormat::png) return png_of(list, fonts, measure, style.scale);
  return pdf_of(list, fonts, measure,
                {.page = style.page, .outlines = style.outlines, .date = pdf_date()});
}

Status save_picture(const std::string& path, std::string_view bytes,
                    const std::vector<std::string>& inputs, bool replace) {
  const fs::path target = path_of(path);
  std::error_code failed;
  if (std::ranges::any_of(inputs, [&](const auto& input) { return is_input(target, input); })) {
    return refused(fmt::format("{} is what is shown; it is not replaced.", path));
  }
  if (fs::is_directory(target, failed)) return refused(fmt::format("{} is a folder.", path));
  if (!replace && fs::exists(fs::symlink_status(target, failed))) {
    return refused(fmt::format("{} exists; --force replaces it.", path));
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : path_of(".");
  if (!fs::is_directory(folder, failed)) {
    return refused(fmt::format("There is no folder {}.", utf8_of(folder)));
  }
  const fs::space_info space = fs::space(folder, failed);
  if (!failed && space.available < bytes.size()) {
    return refused(fmt::format("{} are needed, {} are free.", size_text(bytes.size()),
                               size_text(space.available)));
  }
  Result<AtomicFile> file = AtomicFile::create(target);
  if (!file) return file.error();
  file->append(bytes);
  return file->commit();
}

}  // namespace cinderscope
