// What Details tells of the selection itself: facts, arguments, stack, long texts, values.
#pragma once

#include <string>
#include <vector>

#include "render/text/selection_facts.h"
#include "render/views/panels/args_tree.h"
#include "render/views/panels/details.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Keys and values; a click on a value copies it.
void draw_facts(Column& column, const SelectionFacts& facts, Actions& actions);
// The tree of arguments, or why there is none.
void draw_arguments(const DetailsFrame& frame, Column& column, const SelectionFacts& facts,
                    ArgsFolds& folds, Actions& actions);
// Innermost first, like the callers.
void draw_stack(Column& column, const std::vector<std::string>& stack, Actions& actions);
void draw_texts(Column& column, const std::vector<LongText>& texts, Actions& actions);
// A row for each series of the selected counter.
void draw_series(const DetailsFrame& frame, Column& column, const CounterFacts& counter,
                 Actions& actions);

}  // namespace cinderscope
