// Bookmarks on the ruler: small flags, their notes, and the field to write a note.
#pragma once

#include <cstddef>
#include <optional>

#include "render/views/timeline/canvas.h"

namespace cinderscope {

class CodeEditor;

// The bookmark whose flag is under `point`; the nearest one if flags lie over each other.
std::optional<std::size_t> bookmark_at(const Canvas& canvas, ImVec2 point);

// Draws the flags of the bookmarks in the view. The flag of bookmark `hovered` stands out, with a
// line through all tracks, its note and its time.
void draw_bookmarks(const Canvas& canvas, std::optional<std::size_t> hovered);

// Draws a text field at `x` within `area`, the ruler, or below it where the note has more lines.
// True once the field was left.
bool draw_note_field(const Theme& theme, const Rect& area, float x, CodeEditor& note);

}  // namespace cinderscope
