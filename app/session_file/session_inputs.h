// The traces of a session for commands that need no window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/compare/side_text.h"
#include "app/session/merge_offset.h"
#include "app/session_file/session_file.h"
#include "ingest/compare/compared_sides.h"
#include "ingest/compare/name_rules.h"
#include "ingest/format/load_options.h"

namespace cinderscope {

// Two sides of a comparison, each with its runs.
struct SidesToCompare {
  OfSides<SideText> texts;
  // By path of `texts`: runs of a saved side that do not count, from 0.
  OfSides<std::vector<std::vector<std::size_t>>> left_out;
  NameRules rules;
};

// What of a side counts, where a session keeps that.
ComparedPart part_of(const std::optional<SavedScope>& scope);

struct SessionInputs {
  SessionFile file;
  std::vector<std::string> paths;  // by trace; empty: it was not found

  // The tab that is shown; null: there is none.
  const SessionTab* tab() const;
  // Where the traces of a tab lie on its timeline. An Error names what is missing.
  Result<std::vector<MergeFile>> files_of(const SessionTab& tab) const;
  Result<SidesToCompare> sides_of(const SessionTab& tab) const;  // of a comparison
  // All of the session's traces, in order.
  Result<std::vector<MergeFile>> all_files() const;
  // How a trace was loaded: which part of it, which file of names.
  void use_load_options(const SessionTab& tab, const std::string& session_path,
                        LoadOptions& load) const;
};

// An Error: it is no session that can be read.
Result<SessionInputs> session_inputs(const std::string& path);

}  // namespace cinderscope
