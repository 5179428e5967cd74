#include "app/window/controllers/export/parts.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "app/commands/arguments.h"
#include "app/convert/open_inputs.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/panels/table_saver.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

std::string saved_text(const std::string& path, const Converted& converted) {
  const std::string name = std::filesystem::path(path).filename().string();
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  std::string text = fmt::format("Saved {}, {}. {}", name, size_text(unknown ? 0 : bytes),
                                 converted.losses.sentence(name));
  for (const std::string& remark : converted.losses.remarks()) text += " " + remark;
  return text;
}

TypedTime absolute(std::int64_t time_ns) {
  TypedTime time;
  time.ns = time_ns;
  time.has_unit = true;
  time.text = fmt::to_string(time_ns);
  return time;
}

}  // namespace

PartsController::PartsController(AppContext& app) : app_(app), task_([] { Window::wake(); }) {}

PartsController::~PartsController() {
  if (control_) control_->cancel();
}

// The file is read anew: what is shown need not be all that writing needs, and a trace whose inner
// calls are on disk has only one reader at a time.
Status PartsController::save(const std::string& path, bool replace) {
  const Tab& tab = *app_.tabs().shown();
  const Session& session = *tab.session;
  if (session.phase() != SessionPhase::ready) return refused("The trace is still being read.");
  if (!session.can_reload()) {
    return refused("Standard input can be read only once; save it to a file first.");
  }
  ConvertRequest request{.out = absolute_path(path), .from = {}, .to = {}, .force = replace};
  if (const Status chosen = choose_writer(request, {}, {}); !chosen) return chosen;
  std::vector<MergeFile> files = tab.merged_files;
  if (files.empty()) files.push_back({session.path(), {}});
  if (files.size() > 1 && !request.writer->takes_merged()) {
    return refused(fmt::format("{} takes one trace.", request.writer->description()));
  }
  if (const Status may = check_output(request.out, replace, paths_read(files, session.source()));
      !may) {
    return may;
  }
  if (const auto& range = session.state().range) {
    request.from = absolute(range->begin_ns);
    request.to = absolute(range->end_ns);
  }
  LoadOptions options;
  options.names = session.names();
  options.for_writing = true;
  if (control_) control_->cancel();
  control_ = std::make_shared<LoadContext>(options);
  task_.start([request, files, control = control_](const BackgroundQuestion<Saved>&) -> Saved {
    const Result<OpenedTrace> trace = open_inputs(files, *control);
    if (!trace) return {request.out, trace.error()};
    return {request.out, convert(input_of(*trace, files), request, *control)};
  });
  app_.say_of_shown(fmt::format("saving {} ...", std::filesystem::path(path).filename().string()));
  return ok();
}

void PartsController::poll() {
  constexpr std::chrono::seconds kTime{12};
  if (task_.take_out_of_memory()) app_.say("there is not enough memory to save this part", kTime);
  const std::optional<Saved> saved = task_.take();
  if (!saved) return;
  if (saved->result && !saved->result->wrong_form.empty()) {
    return app_.say(saved->result->wrong_form, kTime);
  }
  app_.say(saved->result ? saved_text(saved->path, *saved->result) : saved->result.error().text,
           kTime);
}

namespace {

Status save_part(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().parts->save(arguments.text(), arguments.text(1) == "force");
}

// Beside the trace: "trace.part.json".
std::vector<std::string> offered_path(AppContext& app) {
  std::filesystem::path path = table_path_beside(*app.tabs().shown(), "part");
  path.replace_extension(".json");
  return {path.string()};
}

constexpr Command kCommands[] = {
    {"save-part",
     "PATH [force]",
     "",
     "Save the selected range, or all, as a trace",
     CommandGroup::file,
     CommandNeeds::single_trace,
     save_part,
     {},
     offered_path},
};

}  // namespace

std::span<const Command> part_commands() {
  return kCommands;
}

}  // namespace cinderscope
