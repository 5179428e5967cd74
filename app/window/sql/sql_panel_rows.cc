// What the SQL panel's rows lead to, and what others are told of them.
#include <algorithm>
#include <utility>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/view.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/sql/sql_places.h"
#include "app/window/tab.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/saturating.h"

namespace cinderscope {

Status SqlPanel::show(AppContext& app, bool on) {
  shows_ = on;
  const std::uint32_t inputs = page_ == nullptr ? 1 : 2;
  const auto hide = [&] {
    for (std::uint32_t i = 0; i < inputs; ++i) {
      TraceSearch& search = tab_of(app, i).search;
      if (search.shows_given()) search.set_text({});
    }
    return ok();
  };
  if (!on) return hide();
  const QueryTable* table = rows_.table();
  if (table == nullptr) return ok();  // what comes will be shown
  if (!are_asked(rows_.answer()->of, traces(*app.tabs().page()->session))) {
    return refused("The trace was read again: run the query again.");
  }
  std::vector<std::vector<MatchRef>> matches;
  bool any = false;
  for (std::uint32_t i = 0; i < inputs; ++i) {
    any |= !matches.emplace_back(matches_of(*table, i)).empty();
  }
  if (!any) return hide();
  shown_given_ = true;
  for (std::uint32_t i = 0; i < inputs; ++i) {
    tab_of(app, i).search.show_given("SQL: " + rows_.title(), std::move(matches[i]));
  }
  return ok();
}

Status SqlPanel::go(AppContext& app, std::uint64_t row, bool zooms) {
  const QueryTable* table = rows_.table();
  if (table == nullptr || row < 1 || row > table->values->row_count) {
    return refused("There is no such row.");
  }
  chosen_row_ = static_cast<std::uint32_t>(row - 1);
  if (!are_asked(rows_.answer()->of, traces(*app.tabs().page()->session))) {
    return refused("The trace was read again: run the query again.");
  }
  const auto place = place_of(*rows_.answer(), *table, *chosen_row_);
  if (!place) return ok();  // it says nothing of a place
  Tab& tab = tab_of(app, place->input);
  if (!tab.session->has_trace()) return ok();  // a side without a timeline
  ViewController& view = *app.controllers().view;
  if (page_ != nullptr && page_->act_on(place->input == 0 ? side_a : side_b, true)) view.stop();
  SearchController& search = *app.controllers().search;
  if (place->named) {
    const MatchRef match = match_of(place->named);
    zooms ? search.zoom_to_match(match) : search.show_match(match);
    return ok();
  }
  const std::int64_t end_ns = saturating_sum(place->begin_ns, place->duration_ns);
  const Viewport& now = tab.session->state().view;
  const bool seen = place->begin_ns >= now.begin_ns && end_ns <= now.end_ns();
  if (zooms && place->duration_ns > 0) {
    view.zoom_to_call(place->begin_ns, end_ns);
  } else if (!seen) {
    view.go_to_time(saturating_sum(place->begin_ns, place->duration_ns / 2));
  }
  if (place->track != kNoTrack) tab.revealed = {.track = place->track};
  return ok();
}

Result<TakenTable> SqlPanel::take_table(Session& session, TableText form) {
  return rows_.take_table(traces(session), time_format(session), form);
}

std::optional<TextSpan> SqlPanel::error_span() const {
  const QueryAnswer* answer = runner_.answer();
  if (answer == nullptr || answer->only_estimated || answer->outcome.ok() || runner_.running() ||
      answer->outcome.line == 0 || editor_version_ != editor_.text().version()) {
    return std::nullopt;
  }
  const std::size_t begin = answer->asked.offset + answer->outcome.offset;
  return TextSpan{begin, begin + std::max<std::size_t>(answer->outcome.length, 1)};
}

std::string SqlPanel::state_json(const Session& /*session*/) const {
  const QueryAnswer* answer = runner_.answer();
  if (answer == nullptr) return "null";
  JsonWriter out;
  const QueryTable* table = rows_.table();
  // A query that failed leaves the rows of the one before in the panel, which are not its own.
  const bool fits = table != nullptr && rows_.answer() == answer;
  out.begin_object().field("text", std::string_view(answer->asked.text));
  out.field("rows", fits ? static_cast<std::uint64_t>(table->values->row_count) : 0U);
  const std::vector<std::uint32_t>* ordered = rows_.ordered();
  out.field("shown", fits && ordered != nullptr ? std::uint64_t{ordered->size()} : 0U);
  out.key("columns").begin_array();
  for (std::size_t i = 0; fits && i < table->columns.size(); ++i) {
    out.begin_object().field("name", std::string_view(table->columns[i].name));
    out.field("shown_as", word_of(table->shown[i])).end_object();
  }
  out.end_array().field("seconds", answer->outcome.seconds);
  out.field("rewritten", answer->outcome.rewritten);
  out.field("estimate_seconds", answer->estimate.seconds).key("error");
  if (answer->outcome.ok()) {
    out.null();
  } else {
    out.text(answer->outcome.text());
  }
  out.field("complete", !runner_.running() && !answer->only_estimated && !answer->so_far &&
                            answer->outcome.ok() && !(fits && table->more));
  out.key("first").begin_array();
  if (fits) rows_.write_first(out);
  out.end_array().end_object();
  return out.str();
}

}  // namespace cinderscope
