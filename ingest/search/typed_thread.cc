#include "ingest/search/typed_thread.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/ascii.h"

namespace cinderscope {

namespace {

struct ThreadTexts {
  std::string_view pid, tid, name;
};

ThreadTexts texts_of(const Timeline& timeline, const Track& track) {
  const Thread& thread = timeline.threads[index(track.thread)];
  return {timeline.text(timeline.processes[index(thread.process)].pid), timeline.text(thread.tid),
          timeline.text(thread.name)};
}

bool is_pid_and_tid(std::string_view text, const ThreadTexts& of) {
  return text.size() == of.pid.size() + 1 + of.tid.size() && text.starts_with(of.pid) &&
         text[of.pid.size()] == '/' && text.ends_with(of.tid);
}

bool means(const TypedThread& typed, const ThreadTexts& of) {
  if (typed.is_expression) return typed.matches.holds(of.name);
  const std::string_view text = typed.plain;
  if (text == of.tid || is_pid_and_tid(text, of)) return true;
  if (text.size() == of.pid.size() + 1 && text.starts_with(of.pid) && text.ends_with('/')) {
    return true;
  }
  return !text.empty() && equals_in_any_case(text, of.name);
}

bool means_name(const TypedThread& typed, std::string_view name) {
  return typed.is_expression ? typed.matches.holds(name) : equals_in_any_case(typed.plain, name);
}

}  // namespace

Result<TypedThread> typed_thread(std::string_view text) {
  TypedThread typed{.text = std::string(text), .plain = {}, .matches = {}};
  if (text.empty()) return refused("A thread is missing: give its id, PID/TID, PID/ or its name.");
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool escaped =
          text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
      if (escaped) ++i;
      typed.plain += text[i];
    }
    return typed;
  }
  typed.is_expression = text.size() > 2 && text.front() == '/' && text.back() == '/';
  if (!typed.is_expression) {
    typed.plain = text;
    return typed;
  }
  Result<TextMatch> matches = TextMatch::matching(text.substr(1, text.size() - 2), false);
  if (!matches) return refused(fmt::format("{}: {}", typed.text, matches.error().text));
  typed.matches = std::move(*matches);
  return typed;
}

Result<std::vector<TrackId>> tracks_meant(const Timeline& timeline,
                                          std::span<const TypedThread> threads) {
  std::vector<TrackId> tracks;
  for (const TypedThread& typed : threads) {
    const std::size_t before = tracks.size();
    for (const bool of_threads : {true, false}) {
      for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
        const Track& track = timeline.tracks[i];
        const bool is_thread = track.kind == TrackKind::thread;
        if (is_thread != of_threads || track.kind == TrackKind::counter) continue;
        const bool is_meant = is_thread ? means(typed, texts_of(timeline, track))
                                        : means_name(typed, timeline.text(track.name));
        if (is_meant) tracks.push_back(TrackId{i});
      }
      if (tracks.size() > before) break;
    }
    if (tracks.size() == before) {
      return refused(fmt::format("There is no thread {}.",
                                 typed.text.starts_with('"') || typed.text.starts_with('/')
                                     ? typed.text
                                     : "\"" + typed.text + "\""));
    }
  }
  std::ranges::sort(tracks);
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  return tracks;
}

}  // namespace cinderscope
