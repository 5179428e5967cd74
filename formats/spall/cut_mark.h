// The mark by which this program says in a slice's arguments that only a part of it was written:
// {"cut":{"ts":…,"dur":…},…}, what it was, in microseconds.
#pragma once

#include <optional>
#include <string_view>

#include "ingest/base/args_tree.h"
#include "ingest/model/record_text.h"

namespace cinderscope::spall {

// Of the text of arguments; nullopt: there is no mark.
std::optional<CutFrom> cut_mark_of(std::string_view args);

// Takes the mark out of arguments that have one.
void remove_cut_mark(ArgsTree& args);

}  // namespace cinderscope::spall
