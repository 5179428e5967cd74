// Opening traces, and what comes of their loads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <memory>
#include <utility>

#include "app/session/find_traces.h"
#include "ingest/os/process_age.h"
#include "app/session/open_source.h"
#include "app/window/app.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/process_age.h"

namespace cinderscope {

namespace {

SourceOpener opener_for(std::string path) {
  return [path = std::move(path)](LoadContext& control) { return open_source(path, control); };
}

}  // namespace

void App::open(const std::string& path) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    // Which files of a folder are traces is told by reading their heads: not on this thread.
    const auto left_out = std::make_shared<std::string>();
    auto traces = std::async(std::launch::async, [path, left_out] {
      Result<std::vector<std::string>> found = traces_of(path, left_out.get());
      Window::wake();
      return found;
    });
    expanding_.push_back({path, std::move(traces), left_out, asked_now()});
    return;
  }
  add_tab(path, opener_for(path), asked_now());
}

// What is opened before the window is there was named as the program was started.
SteadyTime App::asked_now() const {
  return running_ ? std::chrono::steady_clock::now() : process_start();
}

void App::add_tab(const std::string& path, SourceOpener opener, SteadyTime asked) {
  auto tab = std::make_unique<Tab>();
  tab->asked = asked;
  tab->session = std::make_unique<Session>(
      path, std::move(opener),
      SessionOptions{.load = load_options(), .wake = [] { Window::wake(); }});
  apply_settings(*tab);
  tabs_.push_back(std::move(tab));
  share_memory();
  active_ = tabs_.size() - 1;
  draw_again();
}

bool App::loading() const {
  const bool any = std::any_of(tabs_.begin(), tabs_.end(), [](const auto& tab) {
    return tab->session->loading() || tab->session->renaming();
  });
  return any || !expanding_.empty();
}

void App::show_progress(Tab& tab) {
  constexpr std::chrono::milliseconds kStep{100};
  const SteadyTime now = std::chrono::steady_clock::now();
  if (now - tab.progress.taken < kStep) return;
  const Session& session = *tab.session;
  const double seconds = std::max(1e-3, session.loading_seconds());
  tab.progress = {.taken = now,
                  .fraction = session.load_fraction(),
                  .bytes_per_second = static_cast<double>(session.done_bytes()) / seconds};
  draw_again(1);
}

void App::poll_loads() {
  poll_system_theme();
  const SelfTraceMark mark("take loads and answers");
  for (std::size_t i = 0; i < expanding_.size();) {
    if (expanding_[i].traces.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      ++i;
      continue;
    }
    const std::string path = expanding_[i].path;
    const SteadyTime asked = expanding_[i].asked;
    const Result<std::vector<std::string>> traces = expanding_[i].traces.get();
    if (!expanding_[i].left_out->empty()) say(*expanding_[i].left_out);
    expanding_.erase(expanding_.begin() + static_cast<std::ptrdiff_t>(i));
    draw_again();
    if (traces && (traces->size() > 1 || traces->front() != path)) {
      const bool belong_together = traces->size() > 1 && are_folders(*traces);
      if (belong_together) {
        std::vector<MergeFile> parts;
        for (const std::string& inside : *traces) parts.push_back({inside, {}});
        add_merged_tab(parts);
      } else {
        for (const std::string& inside : *traces) add_tab(inside, opener_for(inside), asked);
      }
      continue;
    }
    // The folder is one trace, or none: a tab of its own, which says what is wrong with it.
    SourceOpener opener = opener_for(path);
    if (!traces) {
      opener = [error = traces.error()](LoadContext&) -> Result<OpenedSource> { return error; };
    }
    add_tab(path, std::move(opener), asked);
  }
  for (const auto& tab : tabs_) {
    if (tab->session->poll()) draw_again();
    if (tab->search.poll(*tab->session)) draw_again();
    if (tab->disk.poll(*tab->session, tab->search.finder())) draw_again();
    poll_statistics(*tab);
    poll_calls(*tab);
    if (tab->flame_graph.poll(*tab->session)) draw_again();
    if (std::string message = tab->flame_graph.take_message(); !message.empty()) {
      say(std::move(message));
    }
    if (tab->all_of_name.poll()) draw_again();
    if (tab->session->loading()) show_progress(*tab);
    if (tab->session->phase() == SessionPhase::failed && !tab->told_error) {
      tab->told_error = true;
      fmt::print(stderr, "{}\n", message_of(tab->session->path(), tab->session->error()));
    }
    if (tab->session->loading()) tab->told_error = false;
    tell_names(*tab);
    tell_merge(*tab);
    poll_other_threads(*tab);
  }
  step_search();
  poll_index();
  poll_collector();
  std::erase_if(closing_, [](const auto& session) { return session->idle(); });
  take_chosen_files();
}

}  // namespace cinderscope
