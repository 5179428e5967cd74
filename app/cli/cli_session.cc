// `cinderscope session`: what is in a session, and whether its traces are found.
#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <string>

#include "app/cli/cli.h"
#include "app/cli/standard_output.h"
#include "app/session/open_trace.h"
#include "app/session_file/locate.h"
#include "app/session_file/session_file.h"
#include "app/session_file/session_path.h"
#include "app/store/state_files.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope {
namespace {

std::string_view word_of(Location location) {
  switch (location) {
    case Location::found:
      return "found";
    case Location::grown:
      return "grown";
    case Location::packed:
      return "packed differently";
    case Location::another:
      return "another recording";
    case Location::missing:
      break;
  }
  return "missing";
}

bool is_missing(const LocatedTrace& located) {
  return located.location == Location::missing || located.location == Location::another;
}

// Without control characters, which a terminal would act upon.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string as_json(const SessionFile& session, const std::vector<LocatedTrace>& located) {
  JsonWriter out;
  out.begin_object().field("title", std::string_view(session.title));
  out.field("note", std::string_view(session.note)).key("traces").begin_array();
  for (std::size_t i = 0; i < located.size(); ++i) {
    const SessionTrace& trace = session.traces[i];
    out.begin_object().field("id", std::string_view(trace.id));
    out.field("path", std::string_view(trace.path)).field("size", trace.identity.size_bytes);
    out.field("location", word_of(located[i].location)).key("found");
    if (located[i].path.empty()) {
      out.null();
    } else {
      out.text(located[i].path);
    }
    out.end_object();
  }
  out.end_array().key("tabs").begin_array();
  for (const SessionTab& tab : session.tabs) {
    out.begin_object().field("kind", word_of(tab.kind));
    out.field("bookmarks", tab.view.bookmarks.size()).end_object();
  }
  out.end_array().field("active", session.active).field("left_out", session.left_out);
  return out.end_object().str() + '\n';
}

std::string as_text(const SessionFile& session, const std::vector<LocatedTrace>& located) {
  std::string out;
  const auto line = [&out](std::string text) { out += printable(std::move(text)) + '\n'; };
  if (!session.title.empty()) line(session.title);
  if (!session.note.empty()) line(session.note);
  for (std::size_t i = 0; i < located.size(); ++i) {
    const SessionTrace& trace = session.traces[i];
    std::string text =
        fmt::format("{}  {}  {}", trace.id, trace.path, word_of(located[i].location));
    if (!located[i].path.empty()) text += ": " + located[i].path;
    line(std::move(text));
  }
  for (const SessionTab& tab : session.tabs) {
    line(fmt::format("{}{}", word_of(tab.kind),
                     tab.view.bookmarks.empty()
                         ? ""
                         : fmt::format(", bookmarks: {}", tab.view.bookmarks.size())));
  }
  if (session.left_out > 0) line(fmt::format("left out, of a newer version: {}", session.left_out));
  return out;
}

}  // namespace

int run_session(const SessionCommandOptions& options) {
  const std::string path = absolute_path(options.path);
  const Result<ReadSession> read = read_session(path);
  if (!read) {
    fmt::print(stderr, "{}\n", message_of(options.path, read.error()));
    return kExitCannotOpen;
  }
  for (const std::string& problem : read->problems) {
    fmt::print(stderr, "{}: {}\n", options.path, printable(problem));
  }
  const SessionFile* session = &read->file;
  const std::vector<LocatedTrace> located = locate_traces(
      {.session_path = read->text_path, .traces = session->traces, .look_in = options.look_in});
  write_output(options.json ? as_json(*session, located) : as_text(*session, located));
  for (const LocatedTrace& each : located) {
    if (is_missing(each)) return kExitFailed;
  }
  return kExitOk;
}

}  // namespace cinderscope
