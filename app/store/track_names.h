// Tracks and processes by their texts: numbers change from load to load.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// Long texts are cut and hashed.
struct TrackName {
  TrackKind kind = TrackKind::thread;
  std::string pid, tid;
  std::string name;       // of a thread's own track the thread's; empty: told by its ids alone
  std::uint32_t nth = 0;  // counts tracks whose texts are all equal

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 compared with for a pointer
  auto operator<=>(const TrackName&) const = default;
};

struct ProcessName {
  std::string pid, name;
  std::uint32_t nth = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 compared with for a pointer
  auto operator<=>(const ProcessName&) const = default;
};

// Most names kept of a list.
inline constexpr std::size_t kMostRemembered = 10'000;

// Equal texts become equal names; what JSON cannot hold is replaced here and not on writing.
std::string short_name(std::string_view text);

std::vector<TrackName> track_names(const Timeline& timeline, std::span<const std::uint32_t> tracks);
std::vector<ProcessName> process_names(const Timeline& timeline,
                                       std::span<const std::uint32_t> processes);
std::optional<TrackName> track_name(const Timeline& timeline, TrackId track);

// The processes of these tracks.
std::vector<ProcessName> processes_of(const Timeline& timeline,
                                      std::span<const std::uint32_t> tracks);

struct LookUp {
  std::span<const ProcessName> processes = {};  // of the tracks, by their pids
  bool names_alone = false;                     // pids and tids do not count
};

// The numbers of those that are there. Where no pid and tid fit, as in another recording, names
// tell: of process and thread, else of the thread, each to one track, in order.
std::map<TrackName, std::uint32_t> tracks_named(const Timeline& timeline,
                                                std::span<const std::vector<TrackName>* const> of,
                                                const LookUp& look_up = {});
std::map<ProcessName, std::uint32_t> processes_named(const Timeline& timeline,
                                                     const std::vector<ProcessName>& names,
                                                     bool names_alone = false);
std::optional<TrackId> track_named(const Timeline& timeline, const TrackName& name,
                                   const LookUp& look_up = {});

std::string_view word_of(TrackKind kind);
std::optional<TrackKind> track_kind_from(std::string_view word);

// [kind, pid, tid, name, nth]; a process is [pid, name, nth].
void write_name(JsonWriter& out, const TrackName& name);
void write_names(JsonWriter& out, std::string_view key, const std::vector<TrackName>& names);
void write_names(JsonWriter& out, std::string_view key, const std::vector<ProcessName>& names);
std::optional<TrackName> track_name_from(const JsonValue& value);
// What is no name is left out.
std::vector<TrackName> track_names_from(const JsonValue& list);
std::vector<ProcessName> process_names_from(const JsonValue& list);

}  // namespace cinderscope
