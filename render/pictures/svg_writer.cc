#include "render/pictures/svg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>

namespace cinderscope {
namespace {

constexpr std::string_view kWords = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";
constexpr std::string_view kNumbers = "'JetBrains Mono', Menlo, Consolas, monospace";

// Letters of a table that stand apart, which takes some 10 bytes each.
constexpr std::size_t kMostLettersApart = 4000;

bool is_ascii_letter(char c) {
  return c > ' ' && c < 0x7f;
}

// Some programs (librsvg) cannot be told to leave out kerning, but do not kern what stands in
// different elements: so each second letter gets one of its own.
std::string letters_apart(std::string_view text) {
  std::string out;
  bool is_apart = true;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t size = 1;
    const bool has_neighbour = at > 0 && is_ascii_letter(text[at - 1]);
    if (is_ascii_letter(text[at])) {
      is_apart = has_neighbour && !is_apart;
      const std::string letter = xml_text(text.substr(at, size));
      out += is_apart ? "<tspan>" + letter + "</tspan>" : letter;
    } else {
      while (at + size < text.size() && !is_ascii_letter(text[at + size])) ++size;
      out += xml_text(text.substr(at, size));
    }
    at += size;
  }
  return out;
}

bool is_xml(char32_t code) {
  return code == '\t' || code == '\n' || (code >= 0x20 && code < 0xd800) ||
         (code >= 0xe000 && code < 0xfffe) || code >= 0x10000;
}

class SvgWriter {
 public:
  SvgWriter(const DrawList& list, const TextMeasure& measure, bool outlines)
      : list_(list), measure_(measure), outlines_(outlines) {}

  std::string write() {
    out_.reserve(list_.items.size() * 110 + 2000);
    choose_defaults();
    head();
    for (const PictureItem& item : list_.items) {
      std::visit([this](const auto& each) { add(each); }, item);
    }
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  // The colour of most texts is that of the whole picture, so that only others name theirs.
  void choose_defaults() {
    std::map<Rgba, std::size_t> colours;
    std::size_t letters = 0;
    bool has_boxes = false;  // then few of its pixels are letters
    for (const PictureItem& item : list_.items) {
      const auto* group = std::get_if<PictureGroup>(&item);
      has_boxes |= group != nullptr && group->kind == PictureGroup::Kind::box;
      const auto* text = std::get_if<PictureText>(&item);
      if (text == nullptr) continue;
      if (text->font != PictureFont::numbers) letters += text->text.size();
      ++colours[text->colour];
      if (text->font == PictureFont::numbers && numbers_px_ == 0) numbers_px_ = text->size_px;
      if (text->font == PictureFont::words && words_px_ == 0) words_px_ = text->size_px;
    }
    std::size_t most = 0;
    for (const auto& [colour, count] : colours) {
      if (count > most && colour >> 24 == 255) text_colour_ = colour, most = count;
    }
    letters_apart_ = !has_boxes && letters <= kMostLettersApart;
    if (words_px_ == 0) words_px_ = 13;
    if (numbers_px_ == 0) numbers_px_ = 12.5f;
  }

  void head() {
    out_ += "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    number(" width", list_.width_px);
    number(" height", list_.height_px);
    out_ += " viewBox=\"0 0 ";
    decimal(list_.width_px);
    out_ += ' ';
    decimal(list_.height_px);
    out_ += "\" font-family=\"";
    out_ += kWords;
    out_ += '"';
    number(" font-size", words_px_);
    colour(" fill", text_colour_);
    out_ += ">\n<metadata>";
    out_ += xml_text(list_.metadata);
    // Texts were measured without kerning and ligatures.
    out_ += "</metadata>\n<style>text{font-kerning:none;font-variant-ligatures:none}";
    out_ += ".h{font-weight:600}.n{font-family:";
    out_ += kNumbers;
    out_ += ";font-size:";
    decimal(numbers_px_);
    out_ += "px}</style>\n";
    if (list_.background >> 24 != 0) {
      add(PictureBox{{0, 0, list_.width_px, list_.height_px}, list_.background});
    }
  }

  void decimal(float value) {
    const long hundredths = std::lround(std::clamp(static_cast<double>(value), -1e7, 1e7) * 100);
    const long whole = std::labs(hundredths) / 100, part = std::labs(hundredths) % 100;
    if (hundredths < 0) out_ += '-';
    fmt::format_to(std::back_inserter(out_), "{}", whole);
    if (part % 10 != 0) {
      fmt::format_to(std::back_inserter(out_), ".{:02}", part);
    } else if (part != 0) {
      fmt::format_to(std::back_inserter(out_), ".{}", part / 10);
    }
  }
  void number(std::string_view name, float value) {
    out_ += name;
    out_ += "=\"";
    decimal(value);
    out_ += '"';
  }
  void colour(std::string_view name, Rgba value) {
    fmt::format_to(std::back_inserter(out_), "{}=\"#{:02x}{:02x}{:02x}\"", name, value & 0xff,
                   value >> 8 & 0xff, value >> 16 & 0xff);
    if (value >> 24 == 255) return;
    number(fmt::format("{}-opacity", name), static_cast<float>(value >> 24) / 255);
  }
  void points(const std::vector<PicturePoint>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out_ += ' ';
      decimal(all[i].x);
      out_ += ',';
      decimal(all[i].y);
    }
  }
  void corners(const Rect& rect) {
    number(" x", rect.x);
    number(" y", rect.y);
    number(" width", rect.width);
    number(" height", rect.height);
  }

  void add(const PictureBox& box) {
    out_ += "<rect";
    corners(box.rect);
    colour(" fill", box.colour);
    out_ += "/>\n";
  }
  void add(const PictureOutline& outline) {
    out_ += "<rect";
    corners(outline.rect);
    out_ += " fill=\"none\"";
    colour(" stroke", outline.colour);
    number(" stroke-width", outline.width_px);
    out_ += "/>\n";
  }
  void add(const PicturePolygon& polygon) {
    out_ += "<polygon points=\"";
    points(polygon.points);
    out_ += '"';
    colour(" fill", polygon.colour);
    out_ += "/>\n";
  }
  void add(const PictureLine& line) {
    if (line.curved && line.points.size() == 4) {
      const auto& p = line.points;
      out_ += "<path d=\"M";
      points({p[0]});
      out_ += 'C';
      points({p[1], p[2], p[3]});
    } else {
      out_ += "<polyline points=\"";
      points(line.points);
    }
    out_ += "\" fill=\"none\"";
    colour(" stroke", line.colour);
    if (line.width_px != 1) number(" stroke-width", line.width_px);
    out_ += "/>\n";
  }
  void add(const PictureText& text) {
    if (outlines_) return add_outlines(text);
    const bool to_the_left = runs_to_the_left(text.text);
    out_ += "<text";
    if (text.font == PictureFont::numbers) out_ += " class=\"n\"";
    if (text.font == PictureFont::heads) out_ += " class=\"h\"";
    number(" x", to_the_left ? text.x + text.width_px : text.x);
    number(" y", text.baseline_px);
    if (text.font == PictureFont::numbers) {
      if (text.size_px != numbers_px_) {
        out_ += " style=\"font-size:";
        decimal(text.size_px);
        out_ += "px\"";
      }
    } else if (text.size_px != words_px_) {
      number(" font-size", text.size_px);
    }
    if (text.colour != text_colour_) colour(" fill", text.colour);
    if (to_the_left) out_ += " direction=\"rtl\"";
    number(" textLength", text.width_px);
    out_ += " lengthAdjust=\"spacingAndGlyphs\">";
    const bool apart = letters_apart_ && text.font != PictureFont::numbers;
    out_ += apart ? letters_apart(text.text) : xml_text(text.text);
    out_ += "</text>\n";
  }
  void add_outlines(const PictureText& text) {
    out_ += "<path d=\"";
    float x = text.x;
    for (std::size_t at = 0; at < text.text.size();) {
      const char32_t code = next_character(text.text, at);
      for (const GlyphOutline::Step& step : measure_.outline(text.font, code).steps) {
        static constexpr std::string_view kLetters = "MLQC";
        static constexpr std::array<std::size_t, 4> kPoints = {1, 1, 2, 3};
        const auto kind = static_cast<std::size_t>(step.kind);
        out_ += kLetters[kind];
        for (std::size_t i = 0; i < kPoints.at(kind); ++i) {
          if (i > 0) out_ += ' ';
          decimal(x + step.points.at(i).x * text.size_px);
          out_ += ' ';
          decimal(text.baseline_px + step.points.at(i).y * text.size_px);
        }
      }
      x += measure_.advance(text.font, code) * text.size_px;
    }
    out_ += '"';
    if (text.colour != text_colour_) colour(" fill", text.colour);
    out_ += "/>\n";
  }
  void add(const PictureGroup& group) {
    open_.push_back(group.kind != PictureGroup::Kind::box || !group.text.empty());
    switch (group.kind) {
      case PictureGroup::Kind::track:
        out_ += "<g class=\"track\" data-name=\"" + xml_text(group.text) + "\">\n";
        break;
      case PictureGroup::Kind::row:
        out_ += "<g class=\"row\">\n";
        break;
      case PictureGroup::Kind::box:
        if (open_.back()) out_ += "<g><title>" + xml_text(group.text) + "</title>";
        break;
      case PictureGroup::Kind::clip:
        ++clips_;
        out_ += fmt::format("<clipPath id=\"c{}\"><rect", clips_);
        corners(group.rect);
        out_ += fmt::format("/></clipPath>\n<g clip-path=\"url(#c{})\">\n", clips_);
        break;
    }
  }
  void add(const PictureEnd& /*end*/) {
    if (open_.empty()) return;
    if (open_.back()) out_ += "</g>\n";
    open_.pop_back();
  }

  const DrawList& list_;
  const TextMeasure& measure_;
  bool outlines_;
  std::string out_;
  Rgba text_colour_ = rgb(0x000000);
  float words_px_ = 0, numbers_px_ = 0;
  bool letters_apart_ = false;
  int clips_ = 0;
  std::vector<bool> open_;  // whether the group has a tag
};

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = next_character(text, at);
    const std::string_view bytes = text.substr(begin, at - begin);
    const bool stray = bytes.size() == 1 && static_cast<unsigned char>(bytes[0]) >= 0x80;
    if (stray || !is_xml(code)) {
      out += "\xEF\xBF\xBD";
    } else if (code == '&') {
      out += "&amp;";
    } else if (code == '<') {
      out += "&lt;";
    } else if (code == '>') {
      out += "&gt;";
    } else if (code == '"') {
      out += "&quot;";
    } else {
      out += bytes;
    }
  }
  return out;
}

std::string svg_of(const DrawList& list, const TextMeasure& measure, bool outlines) {
  return SvgWriter(list, measure, outlines).write();
}

}  // namespace cinderscope
