// What of a trace is to be shown once it is open: options of the command line, and of places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/places/named_slice.h"
#include "app/places/place.h"
#include "ingest/base/result.h"
#include "ingest/model/typed_time.h"
#include "ingest/search/typed_slice.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {

struct ShowOptions {
  std::optional<std::pair<TypedTime, TypedTime>> view, range;
  std::optional<TypedSlice> select;
  std::optional<NamedSlice> slice;
  std::optional<std::string> search;
  std::vector<TypedThread> pins, only;
  std::string thread;  // to scroll to
  std::string panel;
  std::string layout;     // a file, put on before all else
  std::string sql;        // a saved query
  bool runs_sql = false;  // even if it was never run here
  // Statistics, or the search, are of what is connected with the selected call.
  bool connects_scope = false, connects_search = false;
  bool keeps_place = false;           // what is selected is not brought into sight
  std::string if_missing;             // said where the call is not there; empty: why
  std::vector<std::string> problems;  // that are known before the trace is

  bool empty() const {
    return !view && !range && !select && !slice && !search && pins.empty() && only.empty() &&
           thread.empty() && panel.empty() && layout.empty() && sql.empty() && problems.empty();
  }
};

// An option as typed: "--view" with "+1.2s" and "+1.4s".
struct ShowWord {
  std::string option;
  std::vector<std::string> values;
};

// How many values an option has; 0: there is no such option.
std::size_t values_of_show_option(std::string_view option);

// An Error names the option that is wrong.
Result<ShowOptions> show_options(const std::vector<ShowWord>& words);
ShowOptions show_options(const Place& place);

// As one text, to be handed over to another window; nullopt: it is none of these.
std::string handed_over(const ShowWord& word);
std::optional<ShowWord> show_word_from(std::string_view text);

}  // namespace cinderscope
