// What a part that is saved is read from, its size before it is written, and writing it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "app/convert/open_inputs.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/export/part_reading.h"
#include "app/window/tab.h"
#include "formats/all_writers.h"
#include "ingest/base/path_text.h"
#include "render/text/size_text.h"

namespace cinderscope {

namespace {

constexpr std::chrono::seconds kTime{12};

std::string saved_name(const std::string& path) {
  return utf8_of(path_of(path).filename());
}

std::string saved_text(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path_of(path), unknown);
  return unknown ? fmt::format("Saved {}.", saved_name(path))
                 : fmt::format("Saved {}, {}.", saved_name(path), size_text(bytes));
}

std::string written_text(const std::string& path, const Converted& converted) {
  std::string text = converted.losses.sentence(saved_name(path));
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

std::vector<MergeFile> files_of(const Tab& tab) {
  if (!tab.merged_files.empty()) return tab.merged_files;
  return {{tab.session->path(), {}}};
}

constexpr const char* kGone = "These threads are no longer in the trace.";

std::vector<TrackId> tracks_in(const Timeline& timeline, std::span<const std::uint32_t> tracks,
                               const std::vector<TrackName>& names, std::size_t track_count) {
  std::vector<TrackId> found;
  if (timeline.tracks.size() == track_count) {
    for (const std::uint32_t track : tracks) found.push_back(TrackId(track));
    return found;
  }
  const std::vector<TrackName>* const list = &names;
  for (const auto& [name, track] : tracks_named(timeline, std::span(&list, 1))) {
    found.push_back(TrackId(track));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

void PartsController::add_names(What& what) const {
  const Timeline& timeline = app_.tabs().shown()->session->timeline();
  what.names = track_names(timeline, what.tracks);
  what.track_count = timeline.tracks.size();
}

std::shared_ptr<PartsController::Reading> PartsController::reading(const Tab& tab,
                                                                   const TraceWriter& writer,
                                                                   const What& what) {
  const Session& session = *tab.session;
  const std::vector<MergeFile> files = files_of(tab);
  std::shared_ptr<TraceSource> source = session.source_to_write();
  const bool is_part = what.range || !what.tracks.empty();
  if (source && is_part && writer.copies_parts() && !source->knows_ends()) source = nullptr;
  const auto same = [](const MergeFile& a, const MergeFile& b) {
    return a.path == b.path && a.offset.how == b.offset.how && a.offset.ns == b.offset.ns;
  };
  if (reading_ && reading_->generation == session.generation() &&
      std::ranges::equal(reading_->files, files, same) &&
      reading_->is_shown == (source != nullptr)) {
    return reading_;
  }
  auto made = std::make_shared<Reading>();
  made->files = files;
  made->generation = session.generation();
  LoadOptions options;
  options.names = session.names();
  options.for_writing = true;
  made->control = std::make_shared<LoadContext>(options);
  if (source) {
    made->is_shown = true;
    made->trace.emplace(OpenedTrace{.path = session.path(),
                                    .format = session.format(),
                                    .source = std::move(source),
                                    .timeline = session.timeline()});
  }
  if (open()) {
    if (reading_) reading_->control->cancel();
    reading_ = made;
  }
  return made;
}

Status PartsController::start(const std::string& path, bool replace, bool from_sheet) {
  const Tab& tab = *app_.tabs().shown();
  const Session& session = *tab.session;
  if (session.phase() != SessionPhase::ready) return refused("The trace is still being read.");
  if (!session.can_reload()) {
    return refused("Standard input can be read only once; save it to a file first.");
  }
  ConvertRequest request{.out = path, .from = {}, .to = {}, .force = replace};
  if (Status chosen = choose_writer(request, {}, {}); !chosen) return chosen;
  if (files_of(tab).size() > 1 && !request.writer->takes_merged()) {
    return refused(fmt::format("{} takes one trace.", request.writer->description()));
  }
  Result<What> what = this->what();
  if (!what) return what.error();
  const auto reads = reading(tab, *request.writer, *what);
  add_names(*what);
  if (what->range) {
    request.from = absolute(what->range->begin_ns);
    request.to = absolute(what->range->end_ns);
  }
  asked_path_.clear();
  saved_path_.clear();
  foreseen_.cancel();
  for (const auto& control : {asking_, writing_}) {
    if (control) control->cancel();
  }
  if (saved_from_ && saved_from_ != reads) saved_from_->control->cancel();
  saved_from_ = reads;
  writing_ = std::make_shared<LoadContext>(reads->control->options());
  saving_for_ = app_.shown_owner();
  saving_.start([request, reads, from_sheet, what = *what, source = session.shared_source(),
                 control = writing_](const BackgroundQuestion<Saved>&) mutable -> Saved {
    const auto failed = [&](Error error) {
      return Saved{request.out, std::move(error), from_sheet};
    };
    const std::vector<std::string> inputs = paths_read(reads->files, source.get());
    if (const Status may = check_output(path_of(request.out), request.force, inputs); !may) {
      // What is read is never replaced.
      if (!check_output(path_of(request.out), true, inputs)) return failed(may.error());
      return {request.out, refused(exists_text(request.out, from_sheet)), from_sheet, true};
    }
    const std::lock_guard lock(reads->mutex);
    const Result<OpenedTrace>& trace = reads->opened();
    if (!trace) return failed(trace.error());
    request.tracks = tracks_in(trace->timeline, what.tracks, what.names, what.track_count);
    // No track would mean all of them.
    if (request.tracks.empty() && !what.tracks.empty()) return failed(refused(kGone));
    Saved saved{request.out, convert(input_of(*trace, reads->files), request, *control),
                from_sheet};
    if (saved.result && saved.result->wrong_form.empty()) saved.text = saved_text(request.out);
    return saved;
  });
  said_ = fmt::format("Saving {}…", saved_name(path));
  more_.clear();
  app_.say_of_shown(said_);
  return ok();
}

void PartsController::take_saved() {
  if (saving_.take_out_of_memory()) {
    said_ = "There is not enough memory to save this part.";
    app_.say_of(saving_for_, said_, kTime);
  }
  const std::optional<Saved> saved = saving_.take();
  if (!saved) return;
  if (saved_from_ != reading_) saved_from_.reset();
  if (saved->exists && saved->from_sheet) {
    asked_path_ = saved->path;
    said_ = saved->result.error().text;
    return app_.draw_again();
  }
  const bool wrong_form = saved->result && !saved->result->wrong_form.empty();
  said_ = wrong_form      ? saved->result->wrong_form
          : saved->result ? saved->text
                          : saved->result.error().text;
  more_ = saved->result && !wrong_form ? written_text(saved->path, *saved->result) : std::string();
  saved_path_ = saved->result && !wrong_form ? saved->path : std::string();
  if (saved_path_.empty() && !saved->from_sheet) failed_ = said_;
  app_.say_of(saving_for_, more_.empty() ? said_ : said_ + " " + more_, kTime);
}

void PartsController::ask_again() {
  const Tab& tab = *app_.tabs().shown();
  const Session& session = *tab.session;
  Result<What> what = this->what();
  if (!what || session.phase() != SessionPhase::ready || !session.can_reload()) {
    return foreseen_.forget();
  }
  const Question question{.session = reinterpret_cast<std::uintptr_t>(&session),
                          .generation = session.generation(),
                          .what = *what,
                          .path = path_now()};
  if (!foreseen_.is_due(question)) return;
  ConvertRequest request{.out = question.path, .from = {}, .to = {}};
  if (!choose_writer(request, {}, {})) return foreseen_.forget();
  if (what->range) {
    request.from = absolute(what->range->begin_ns);
    request.to = absolute(what->range->end_ns);
  }
  if (asking_) asking_->cancel();
  add_names(*what);
  const auto reads = reading(tab, *request.writer, *what);
  asking_ = std::make_shared<LoadContext>(reads->control->options());
  foreseen_.ask(question,
                [request, reads, what = *what,
                 control = asking_](const BackgroundQuestion<Answer>&) mutable -> Answer {
                  const std::lock_guard lock(reads->mutex);
                  const Result<OpenedTrace>& trace = reads->opened();
                  if (!trace) return {{}, trace.error().text};
                  request.tracks =
                      tracks_in(trace->timeline, what.tracks, what.names, what.track_count);
                  if (request.tracks.empty() && !what.tracks.empty()) return {{}, kGone};
                  const Result<Foreseen> foreseen =
                      foresee(input_of(*trace, reads->files), request, *control);
                  return foreseen ? Answer{*foreseen, {}} : Answer{{}, foreseen.error().text};
                });
}

}  // namespace cinderscope
