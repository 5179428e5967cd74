// What the sheet for packs shows.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/packs.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

constexpr std::array<Choice, 3> kParts = {{{"Whole traces", "As they are"},
                                           {"What is shown", "Of each tab its view"},
                                           {"Selected range", "Of each tab its selected range"}}};
constexpr std::array<std::string_view, 3> kPartWords = {"whole", "view", "selected"};
constexpr std::array<Choice, 2> kNames = {
    {{"Names as they are", "With arguments and notes"},
     {"Without names", "n1, n2, … in their place; no arguments, no notes"}}};

std::size_t place_of(PackPart part) {
  return part == PackPart::view ? 1 : part == PackPart::selected ? 2 : 0;
}

}  // namespace

void PacksController::draw_inside(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  SheetRows rows(pen, area);
  if (const auto part = rows.choices("part", kParts, place_of(part_))) {
    run_command(actions, "pack-with", std::string(kPartWords[*part]));
  }
  rows.next_row();
  if (const auto names = rows.choices("names", kNames, anonymous_ ? 1 : 0)) {
    run_command(actions, "pack-with", *names == 1 ? "anonymous on" : "anonymous off");
  }
  rows.next_row();
  rows.text(sizes(), rows.room_px(), true);
  rows.next_row();
  if (!writing_.busy()) return draw_path(rows, path_now(), actions, "Pack");
  std::string progress = "Packing…";
  if (control_ && control_->total_bytes > 0) {
    progress = fmt::format("Packing {} of {}", size_text(control_->done_bytes),
                           size_text(control_->total_bytes));
  }
  rows.text(progress, rows.room_px(rows.button_px("Cancel")));
  if (rows.button("cancel", "Cancel")) run_command(actions, "pack-with", "cancel");
}

void PacksController::draw_saved(SheetRows& rows, Actions& actions) {
  draw_folder_button(rows, actions);
}

namespace {

Status pack_now(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().packs->save(arguments.text(), arguments.text(1) == "force");
}

Status unpack_now(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().packs->unpack(arguments.text(), arguments.text(1) == "force");
}

Status set_pack(AppContext& app, const CommandArguments& arguments) {
  std::string_view rest = arguments.text();
  const auto word = take_word(rest);
  constexpr std::array<std::string_view, 6> kWords = {"whole",     "view",  "selected",
                                                      "anonymous", "close", "cancel"};
  if (!word || std::ranges::find(kWords, *word) == kWords.end()) {
    return refused("Give whole, view, selected, anonymous on or off, cancel, or close.");
  }
  return app.controllers().packs->set(*word, whole_rest(rest));
}

using Needs = CommandNeeds;

constexpr Command kPackSheetCommands[] = {
    {"pack", "[PATH [force]]", "", "Pack for a colleague…", CommandGroup::file, Needs::tab,
     pack_now},
    {"pack-with", "TEXT", "", "What of the traces is packed", CommandGroup::file, Needs::tab,
     set_pack},
    {"unpack", "[PATH [force]]", "", "Unpack…", CommandGroup::file, Needs::tab, unpack_now},
};

}  // namespace

std::span<const Command> pack_commands() {
  return kPackSheetCommands;
}

}  // namespace cinderscope
