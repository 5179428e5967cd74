#include "app/window/panels/table_saver.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <new>
#include <utility>

#include "app/convert/convert.h"
#include "app/convert/open_inputs.h"
#include "app/pack/pack.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/details_panel.h"
#include "app/window/panels/panel.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

// As many are written in some hundredths of a second: whoever ends the program waits for them.
constexpr std::uint64_t kRowsAtOnce = 100'000;
constexpr std::string_view kOutOfMemory = "There is not enough memory to save the table.";

std::string rows_text(const TakenTable& table, TableText form) {
  if (table.write_all != nullptr && form != TableText::markdown) return "all rows";
  const std::uint64_t written = written_rows(table, form);
  std::string rows =
      count_text(written) + (written == 1 && table.row_count == 1 ? " row" : " rows");
  if (written < table.row_count) return fmt::format("the first {}", rows);
  if (table.left_out == 0) return rows;
  return fmt::format("{} ({} more are not listed)", rows, count_text(table.left_out));
}

Status write_file(const std::string& path, const TakenTable& table, TableForm form,
                  const std::atomic<bool>* ends) {
  Result<AtomicFile> file = AtomicFile::create(path_of(path));
  if (!file) return file.error();
  const std::atomic<bool> never = false;
  const std::atomic<bool>& ended = ends == nullptr ? never : *ends;
  const auto put = [&](std::string_view piece) {
    file->append(piece);
    return file->ok() && !ended;
  };
  const bool whole = write_table(table, form, put, ended);
  if (!whole && file->ok()) return Error{ErrorCode::cancelled, "The table was not saved."};
  return file->commit();
}

// What the traces of all tabs are read from.
std::vector<std::string> files_read(const TabList& tabs) {
  std::vector<std::string> files;
  for (const auto& tab : tabs.all) {
    const auto source = tab->session->shared_source();
    std::vector<MergeFile> merged = tab->merged_files;
    if (merged.empty()) merged.push_back({tab->session->path(), {}});
    const std::vector<std::string> of_tab = paths_read(merged, source.get());
    files.insert(files.end(), of_tab.begin(), of_tab.end());
  }
  return files;
}

}  // namespace

std::string table_path_beside(const Tab& tab, std::string_view what, std::string_view ending) {
  const std::string& trace =
      tab.merged_files.empty() ? tab.session->path() : tab.merged_files.front().path;
  std::string path = trace == "-" ? absolute_path("trace") : absolute_path(trace);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  // Nothing is written into a pack, but beside it.
  const std::size_t pack = path.find(std::string(kPackEnding) + "/");
  if (pack != std::string::npos) {
    path = utf8_of(path_of(path.substr(0, pack)).replace_filename(path_of(path).filename()));
  }
  return fmt::format("{}.{}{}", path, what, ending);
}

Status TableSaver::copy(const Taken& taken, const CommandArguments& arguments) {
  const TableForm form{arguments.is("markdown") ? TableText::markdown : TableText::tsv,
                       app_.settings().spreadsheet_texts};
  Result<TakenTable> table = taken(form.text);
  if (!table) return table.error();
  table->write_all = nullptr;  // while the user waits: what is there
  const Result<std::string> text = table_to_copy(*table, form);
  if (!text) return text.error();
  app_.copy(*text);
  app_.say_of_shown(rows_text(*table, form.text) + " copied");
  return ok();
}

void TableSaver::write(const CommandArguments& arguments, Write work, std::string saved) {
  writing_.push_back(in_background([this, path = arguments.text(),
                                    replaces = arguments.text(1) == "force",
                                    inputs = files_read(app_.tabs()), work = std::move(work),
                                    saved = std::move(saved), owner = app_.shown_owner()] {
    Written written{
        .done = check_output(path_of(path), true, inputs), .saved = saved, .owner = owner};
    if (written.done && !replaces && !check_output(path_of(path), false, {})) {
      written.done =
          refused(fmt::format("{} is there already; with force behind it, it is replaced.", path));
    }
    try {
      if (written.done) written.done = work(path, ends_);
    } catch (const std::bad_alloc&) {
      written.done = refused(std::string(kOutOfMemory));
    }
    Window::wake();
    return written;
  }));
}

Status TableSaver::save(const Taken& taken, const CommandArguments& arguments) {
  const std::string& path = arguments.text();
  const std::optional<TableText> text = table_text_of(path);
  if (!text) return refused("A table is saved as .csv, .tsv, .jsonl or .md.");
  Result<TakenTable> table = taken(*text);
  if (!table) return table.error();
  const TableForm form{*text, app_.settings().spreadsheet_texts};
  std::string saved = fmt::format("{} saved to {}", rows_text(*table, *text), path);
  const bool rows_are_there = table->write_all == nullptr || *text == TableText::markdown;
  const bool is_long = !rows_are_there || written_rows(*table, *text) > kRowsAtOnce;
  if (is_long) app_.say_of_shown(fmt::format("Saving {}…", path));
  const auto write_it = [table = std::make_shared<TakenTable>(std::move(*table)), form, is_long](
                            const std::string& to, const std::atomic<bool>& ends) {
    return write_file(to, *table, form, is_long ? &ends : nullptr);
  };
  write(arguments, write_it, std::move(saved));
  return ok();
}

Status TableSaver::copy(Panel& panel, const CommandArguments& arguments) {
  Session& session = *app_.tabs().page()->session;
  return copy([&](TableText form) { return panel.take_table(session, form); }, arguments);
}

Status TableSaver::save(Panel& panel, const CommandArguments& arguments) {
  Session& session = *app_.tabs().page()->session;
  return save([&](TableText form) { return panel.take_table(session, form); }, arguments);
}

void TableSaver::poll() {
  for (std::size_t i = 0; i < writing_.size();) {
    if (!is_ready(writing_[i])) {
      ++i;
      continue;
    }
    const Written written = writing_[i].get();
    writing_.erase(writing_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!written.done) failed_ = written.done.error().text;
    app_.say_of(written.owner, written.done ? written.saved : failed_);
  }
}

namespace {

Result<Panel*> shown_panel(AppContext& app) {
  Panel* panel = app.controllers().panels->visible(*app.tabs().page());
  if (panel == nullptr || panel->table_word().empty()) {
    return refused("No table is shown: the command panel opens one.");
  }
  return panel;
}

Status copy(AppContext& app, const CommandArguments& arguments) {
  const Result<Panel*> panel = shown_panel(app);
  return panel ? app.controllers().tables->copy(**panel, arguments) : panel.error();
}

Status save(AppContext& app, const CommandArguments& arguments) {
  const Result<Panel*> panel = shown_panel(app);
  return panel ? app.controllers().tables->save(**panel, arguments) : panel.error();
}

std::vector<std::string> offered_path(AppContext& app) {
  const Result<Panel*> panel = shown_panel(app);
  if (!panel) return {};
  return {table_path_beside(*app.tabs().shown(), (*panel)->table_word())};
}

TableSaver::Taken bars_of(AppContext& app) {
  const Tab& tab = *app.tabs().shown();
  return [&tab](TableText form) { return tab.panel<DetailsPanel>().take_bars(*tab.session, form); };
}

Status copy_bars(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().tables->copy(bars_of(app), arguments);
}

Status save_bars(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().tables->save(bars_of(app), arguments);
}

std::vector<std::string> offered_bars_path(AppContext& app) {
  return {table_path_beside(*app.tabs().shown(), "histogram")};
}

Status spreadsheet_texts(AppContext& app, const CommandArguments& arguments) {
  bool& on = app.settings().spreadsheet_texts;
  on = arguments.switched(on);
  app.settings_changed();
  return ok();
}

using Needs = CommandNeeds;

constexpr Command kTableSaverCommands[] = {
    {"copy-table", "[tsv|markdown]", "", "Copy the table shown below", CommandGroup::measure,
     Needs::trace, copy},
    {"save-table",
     "PATH [force]",
     "",
     "Save the table shown below",
     CommandGroup::measure,
     Needs::trace,
     save,
     {},
     offered_path},
    {"copy-histogram", "[tsv|markdown]", "", "Copy the bars of the selected name's durations",
     CommandGroup::measure, Needs::single_trace, copy_bars},
    {"save-histogram",
     "PATH [force]",
     "",
     "Save the bars of the selected name's durations",
     CommandGroup::measure,
     Needs::single_trace,
     save_bars,
     {},
     offered_bars_path},
    {"spreadsheet-texts", "[on|off]", "", "Keep names in tables from becoming formulas",
     CommandGroup::measure, Needs::nothing, spreadsheet_texts},
};

}  // namespace

std::span<const Command> table_commands() {
  return kTableSaverCommands;
}

}  // namespace cinderscope
