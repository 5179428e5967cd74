// The commands about what a comparison is made of: runs, pairs of threads, how much of them is
// read.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/tab.h"
#include "ingest/base/number_text.h"

namespace cinderscope {

namespace {

Status add_runs(AppContext& app, const CommandArguments& arguments) {
  return compare_of(app).add_runs(arguments.is("a") ? side_a : side_b, {arguments.text(1)});
}

// N from 1 on, in the order of the panel.
Status use_run(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  CompareSource& source = page.answers.sources()[arguments.is("a") ? side_a : side_b];
  const auto run = static_cast<std::size_t>(arguments.number(1).value_or(0));
  if (run < 1 || run > source.runs.size()) return refused("There is no such run.");
  bool& left_out = source.runs[run - 1].left_out;
  if (arguments.is("a") || arguments.is("b")) left_out = !left_out;
  if (std::ranges::all_of(source.runs, &CompareRun::left_out)) {
    left_out = false;
    return refused("A side needs a run.");
  }
  page.answers.sources_changed();
  return ok();
}

Status show_run(AppContext& app, const CommandArguments& arguments) {
  const auto run = static_cast<std::size_t>(arguments.number(1).value_or(0));
  if (run < 1) return refused("There is no such run.");
  return compare_of(app).show_run(arguments.is("a") ? side_a : side_b, run - 1);
}

Status pair_threads_by_hand(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  const auto a = parse_number<std::uint32_t>(arguments.text(0)),
             b = parse_number<std::uint32_t>(arguments.text(1));
  const OfSides<ShownRun>& runs = page.answers.shown_runs();
  const bool known = a && b && runs[side_a].measured != nullptr &&
                     runs[side_b].measured != nullptr && *a >= 1 && *b >= 1 &&
                     *a <= runs[side_a].measured->threads.size() &&
                     *b <= runs[side_b].measured->threads.size();
  if (!known) return refused("There are no such threads.");
  page.answers.pair_by_hand({*a - 1, *b - 1});
  return ok();
}

// Of a trace that is read piece by piece. A load that will not fit into memory says so itself.
Status read_all(AppContext& app, const CommandArguments& /*arguments*/) {
  ComparePage& page = page_of(app);
  bool any = false;
  for (const Side side : {side_a, side_b}) {
    Session& session = page.session(side);
    if (session.loading() || !has_calls_on_disk(session.timeline()) || !session.can_reload()) {
      continue;
    }
    const Session& trace = session.viewed() == nullptr ? session : *session.viewed();
    LoadOptions load = trace.load_options();
    load.lazy_above_bytes = UINT64_MAX;
    session.reload_with(std::move(load));
    any = true;
  }
  return any ? ok() : Status(refused("All calls of both sides have been read."));
}

Status answer_compare(AppContext& app, const CommandArguments& arguments) {
  using Answer = CompareController::TooLargeAnswer;
  return compare_of(app).answer_too_large(arguments.is("numbers")  ? Answer::numbers
                                          : arguments.is("anyway") ? Answer::anyway
                                                                   : Answer::cancel);
}

using Needs = CommandNeeds;

constexpr Command kCompareRunCommands[] = {
    {"add-runs", "a|b PATH", "", "Add a run to a side", CommandGroup::compare, Needs::comparison,
     add_runs},
    {"use-run", "a|b N", "", "Leave out a run, or count it again", CommandGroup::compare,
     Needs::comparison, use_run},
    {"show-run", "a|b N", "", "Show a run in its lane", CommandGroup::compare, Needs::comparison,
     show_run},
    {"pair-threads", "N N", "", "Pair a thread of A with one of B", CommandGroup::compare,
     Needs::comparison, pair_threads_by_hand},
    {"answer-compare", "numbers|anyway|cancel", "",
     "Answer whether traces too large together are compared", CommandGroup::compare, Needs::nothing,
     answer_compare},
    {"compare-read-all", "", "", "Read all calls of both sides", CommandGroup::compare,
     Needs::comparison, read_all},
};

}  // namespace

std::span<const Command> compare_run_commands() {
  return kCompareRunCommands;
}

}  // namespace cinderscope
