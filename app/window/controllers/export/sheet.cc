#include "app/window/controllers/export/sheet.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/commands/arguments.h"
#include "app/desktop/file_manager.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/controllers/export/pictures.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

constexpr float kSheetPx = 190, kPadPx = 16, kSheetRowPx = 34, kHalfButtonPx = 14, kGapPx = 12;

}  // namespace

SheetRows::SheetRows(const Pen& pen, const Rect& area)
    : pen_(pen), area_(area), x_(area.x), y_(area.y + pen.px(kSheetRowPx) / 2) {}

float SheetRows::room_px(float kept_px) const {
  return std::max(right_of(area_) - x_ - kept_px, pen_.px(120));
}

void SheetRows::next_row() {
  x_ = area_.x;
  y_ += pen_.px(kSheetRowPx);
}

void SheetRows::word(std::string_view text) {
  x_ += draw_text(pen_.list, pen_.words, x_, y_, pen_.colours.dim, text) + pen_.px(6);
}

std::optional<std::size_t> SheetRows::choices(const char* id, std::span<const Choice> choices,
                                              std::size_t chosen) {
  const float width_px = choices_width(pen_, choices);
  // The next row where there is no room left.
  if (x_ > area_.x && x_ + width_px > right_of(area_)) next_row();
  const auto asked = draw_choices(pen_, id, x_, y_, choices, chosen);
  x_ += width_px + pen_.px(kGapPx);
  return asked;
}

std::optional<std::string> SheetRows::field(const char* id, const char* example, float width_px,
                                            std::string_view text) {
  const Rect rect{x_, y_ - pen_.px(12), width_px, pen_.px(24)};
  x_ += width_px + pen_.px(kGapPx);
  return filter_field(pen_, id, example, rect, text);
}

bool SheetRows::button(const char* id, std::string_view label) {
  const float x = x_;
  x_ += text_button_width(pen_, label) + pen_.px(8);
  return text_button(pen_, id, x, y_ - pen_.px(kHalfButtonPx), label);
}

float SheetRows::button_px(std::string_view label) const {
  return text_button_width(pen_, label) + pen_.px(8);
}

void SheetRows::text(std::string_view text, float most_px, bool faint) {
  const float width_px = std::min(text_width(pen_.words, text) + 1, most_px);
  draw_cut_text(pen_.list, pen_.words, x_, y_, width_px,
                faint ? pen_.colours.dim : pen_.colours.text, text);
  x_ += width_px + pen_.px(kGapPx);
}

std::string ExportSheet::exists_text(const std::string& path, bool from_sheet) {
  return from_sheet
             ? utf8_of(path_of(path).filename()) + " exists. Replace it?"
             : fmt::format("{} is there already; with force behind it, it is replaced.", path);
}

void ExportSheet::show() {
  ExportSheet* other = open_sheet(app_.controllers());
  if (other != nullptr && other != this) other->close();
  open_ = true;
  app_.draw_again();
}

void ExportSheet::close() {
  open_ = false;
  asked_path_.clear();
  save_due_.reset();
  said_.clear();
  more_.clear();
  saved_path_.clear();
  app_.draw_again();
}

bool ExportSheet::take_key(const KeyChord& chord) {
  if (!open_ || chord.ctrl || chord.alt) return false;
  if (chord.key != Key::escape && chord.key != Key::enter) return false;
  if (chord.key == Key::escape) {
    close();
  } else {
    save_due_ = !asked_path_.empty();
  }
  app_.draw_again();
  return true;
}

float ExportSheet::height_px(const Rect& area, float panel_px) const {
  if (!open_) return panel_px;
  return std::min(std::max(panel_px, std::round(app_.theme().px(kSheetPx))), area.height * 0.7f);
}

void ExportSheet::draw(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  ImGui::PushID(this);
  draw_inside(inset(area, pen.px(kPadPx), pen.px(10)), actions);
  ImGui::PopID();
}

void ExportSheet::draw_path(SheetRows& rows, std::string_view path, Actions& actions,
                            std::string_view save_label) {
  rows.word("File");
  const float kept_px =
      rows.button_px(save_label) + rows.button_px("Close") + rows.pen().px(2 * kGapPx);
  if (const auto typed = rows.field("##path", "path", rows.room_px(kept_px), path)) {
    path_ = *typed;
    asked_path_.clear();
  }
  if (rows.button("save", save_label)) save_due_ = false;
  if (rows.button("close", "Close")) close();
  rows.next_row();
  if (said_.empty()) return;
  rows.text(said_, rows.room_px(rows.pen().px(300)));
  if (!asked_path_.empty() && rows.button("replace", "Replace")) save_due_ = true;
  if (!saved_path_.empty()) draw_saved(rows, actions);
  rows.next_row();
  if (!more_.empty()) rows.text(more_, rows.room_px(), true);
}

void ExportSheet::draw_folder_button(SheetRows& rows, Actions& actions) const {
  if (has_file_manager()) {
    if (rows.button("folder", "Show in folder")) {
      run_command(actions, "show-in-folder", quoted_argument(saved_path_));
    }
  } else if (rows.button("path", "Copy path")) {
    actions.push_back(CopyText{saved_path_});
  }
}

ExportSheet* open_sheet(const Controllers& controllers) {
  const std::array<ExportSheet*, 3> sheets = {controllers.pictures.get(), controllers.parts.get(),
                                              controllers.packs.get()};
  const auto open = std::ranges::find_if(sheets, &ExportSheet::open);
  return open == sheets.end() ? nullptr : *open;
}

}  // namespace cinderscope
