#include "app/store/track_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ingest/base/text_hash.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kLongestName = 256, kKeptOfLongName = 120;
constexpr std::array<std::string_view, 7> kKinds = {"thread", "async",     "samples", "counter",
                                                    "calls",  "lifetimes", "marks"};

TrackName name_of(const Timeline& timeline, const Track& track) {
  TrackName name{.kind = track.kind};
  name.pid = short_name(timeline.text(timeline.processes[index(track.process)].pid));
  StringId own = track.name;
  if (track.thread != kNoThread) {
    const Thread& thread = timeline.threads[index(track.thread)];
    name.tid = short_name(timeline.text(thread.tid));
    if (track.kind == TrackKind::thread) own = thread.name;
  }
  name.name = short_name(timeline.text(own));
  return name;
}

ProcessName name_of(const Timeline& timeline, const Process& process) {
  return {.pid = short_name(timeline.text(process.pid)),
          .name = short_name(timeline.text(process.name))};
}

// As files had it that knew threads by their ids alone.
std::optional<TrackName> without_name(TrackName name) {
  if (name.kind != TrackKind::thread || name.name.empty()) return std::nullopt;
  name.name.clear();
  return name;
}
std::optional<ProcessName> without_name(ProcessName name) {
  if (name.name.empty()) return std::nullopt;
  name.name.clear();
  return name;
}

// What another recording of the same program has in common; empty: nothing.
std::string common_key(const TrackName& name, std::string_view process) {
  if (name.name.empty()) return {};
  return fmt::format("{}/{}/{}", word_of(name.kind), name.name, process);
}

// Names that no ids told are looked up by these, in two rounds: with their process, and without.
class CommonKeys {
 public:
  CommonKeys(const Timeline& timeline, std::span<const ProcessName> processes)
      : timeline_(timeline) {
    for (const ProcessName& process : processes) {
      if (!process.name.empty()) process_of_.emplace(process.pid, process.name);
    }
  }
  std::string wanted(const TrackName& name, bool with_process) const {
    if (!with_process) return common_key(name, {});
    const auto process = process_of_.find(name.pid);
    return process == process_of_.end() ? std::string() : common_key(name, process->second);
  }
  std::string there(const Track& track, bool with_process) const {
    const Process& process = timeline_.processes[index(track.process)];
    return common_key(name_of(timeline_, track),
                      with_process ? short_name(timeline_.text(process.name)) : std::string());
  }
  static std::string wanted(const ProcessName& name, bool with_process) {
    return with_process ? std::string() : name.name;
  }
  std::string there(const Process& process, bool with_process) const {
    return wanted(name_of(timeline_, process), with_process);
  }

 private:
  const Timeline& timeline_;
  std::map<std::string, std::string> process_of_;  // by pid
};

// Equal names are told apart by their order, so those before count as well.
template <class Name, class Items>
std::vector<Name> names_of(const Timeline& timeline, const Items& all,
                           std::span<const std::uint32_t> wanted) {
  std::vector<Name> names;
  if (wanted.empty()) return names;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t number : wanted) {
    if (number < all.size() && numbers.size() < kMostRemembered) numbers.push_back(number);
  }
  std::map<Name, std::uint32_t> seen;
  for (const std::uint32_t number : numbers) seen[name_of(timeline, all[number])] = 0;
  std::map<std::uint32_t, Name> found;
  const std::set<std::uint32_t> chosen(numbers.begin(), numbers.end());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    Name name = name_of(timeline, all[i]);
    const auto count = seen.find(name);
    if (count == seen.end()) continue;
    name.nth = count->second++;
    if (chosen.contains(i)) found[i] = std::move(name);
  }
  for (const std::uint32_t number : numbers) names.push_back(found.at(number));
  return names;
}

template <class Name, class Items>
std::map<Name, std::uint32_t> numbers_of(const Timeline& timeline, const Items& all,
                                         std::span<const std::vector<Name>* const> lists,
                                         const LookUp& look_up) {
  std::set<Name> wanted;
  std::map<Name, std::uint32_t> seen, numbers;
  for (const auto* list : lists) {
    for (const Name& name : *list) {
      wanted.insert(name);
      Name first = name;
      first.nth = 0;
      seen[first] = 0;
    }
  }
  if (wanted.empty()) return numbers;
  const auto take = [&](Name name, std::uint32_t number) {
    const auto count = seen.find(name);
    if (count == seen.end()) return;
    name.nth = count->second++;
    if (wanted.contains(name)) numbers[name] = number;
  };
  for (std::uint32_t i = 0; i < all.size() && !look_up.names_alone; ++i) {
    Name name = name_of(timeline, all[i]);
    if (std::optional<Name> old = without_name(name)) take(std::move(*old), i);
    take(std::move(name), i);
  }
  const CommonKeys keys(timeline, look_up.processes);
  for (const bool with_process : {true, false}) {
    std::map<std::string, std::vector<Name>> missing;  // in the order of their ids
    for (const Name& name : wanted) {
      const std::string key = keys.wanted(name, with_process);
      if (!numbers.contains(name) && !key.empty()) missing[key].push_back(name);
    }
    if (missing.empty()) continue;
    std::set<std::uint32_t> used;
    for (const auto& [name, number] : numbers) used.insert(number);
    std::map<std::string, std::size_t> given;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (used.contains(i)) continue;
      const auto found = missing.find(keys.there(all[i], with_process));
      if (found == missing.end()) continue;
      std::size_t& next = given[found->first];
      if (next < found->second.size()) numbers[found->second[next++]] = i;
    }
  }
  return numbers;
}

std::uint32_t nth_from(const JsonMember& member) {
  return member.value.number<std::uint32_t>().value_or(0);
}

}  // namespace

std::string short_name(std::string_view text) {
  if (text.size() <= kLongestName) return valid_utf8(text);
  return fmt::format("{}#{:016x}", valid_utf8(text.substr(0, kKeptOfLongName)), text_hash(text));
}

std::vector<TrackName> track_names(const Timeline& timeline,
                                   std::span<const std::uint32_t> tracks) {
  return names_of<TrackName>(timeline, timeline.tracks, tracks);
}

std::vector<ProcessName> process_names(const Timeline& timeline,
                                       std::span<const std::uint32_t> processes) {
  return names_of<ProcessName>(timeline, timeline.processes, processes);
}

std::optional<TrackName> track_name(const Timeline& timeline, TrackId track) {
  const std::uint32_t number = index(track);
  std::vector<TrackName> names = track_names(timeline, std::span(&number, 1));
  if (names.empty()) return std::nullopt;
  return std::move(names.front());
}

std::vector<ProcessName> processes_of(const Timeline& timeline,
                                      std::span<const std::uint32_t> tracks) {
  std::set<std::uint32_t> processes;
  for (const std::uint32_t track : tracks) {
    if (track < timeline.tracks.size()) processes.insert(index(timeline.tracks[track].process));
  }
  return process_names(timeline, std::vector<std::uint32_t>(processes.begin(), processes.end()));
}

std::map<TrackName, std::uint32_t> tracks_named(const Timeline& timeline,
                                                std::span<const std::vector<TrackName>* const> of,
                                                const LookUp& look_up) {
  return numbers_of<TrackName>(timeline, timeline.tracks, of, look_up);
}

std::map<ProcessName, std::uint32_t> processes_named(const Timeline& timeline,
                                                     const std::vector<ProcessName>& names,
                                                     bool names_alone) {
  const std::vector<ProcessName>* const list = &names;
  return numbers_of<ProcessName>(timeline, timeline.processes, std::span(&list, 1),
                                 {.names_alone = names_alone});
}

std::optional<TrackId> track_named(const Timeline& timeline, const TrackName& name,
                                   const LookUp& look_up) {
  const std::vector<TrackName> names{name};
  const std::vector<TrackName>* const list = &names;
  const auto found = tracks_named(timeline, std::span(&list, 1), look_up);
  if (found.empty()) return std::nullopt;
  return TrackId{found.begin()->second};
}

std::string_view word_of(TrackKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

std::optional<TrackKind> track_kind_from(std::string_view word) {
  const auto* kind = std::ranges::find(kKinds, word);
  if (kind == kKinds.end()) return std::nullopt;
  return static_cast<TrackKind>(kind - kKinds.begin());
}

void write_name(JsonWriter& out, const TrackName& name) {
  out.begin_array().text(word_of(name.kind)).text(name.pid).text(name.tid).text(name.name);
  out.number(std::uint64_t{name.nth}).end_array();
}

void write_names(JsonWriter& out, std::string_view key, const std::vector<TrackName>& names) {
  out.key(key).begin_array();
  for (const TrackName& name : names) write_name(out, name);
  out.end_array();
}

void write_names(JsonWriter& out, std::string_view key, const std::vector<ProcessName>& names) {
  out.key(key).begin_array();
  for (const ProcessName& name : names) {
    out.begin_array().text(name.pid).text(name.name).number(std::uint64_t{name.nth}).end_array();
  }
  out.end_array();
}

std::optional<TrackName> track_name_from(const JsonValue& value) {
  const std::vector<JsonMember>& parts = value.members;
  if (value.kind != JsonKind::array || parts.size() != 5) return std::nullopt;
  const auto kind = track_kind_from(parts[0].value.text);
  if (!kind) return std::nullopt;
  return TrackName{.kind = *kind,
                   .pid = parts[1].value.text,
                   .tid = parts[2].value.text,
                   .name = parts[3].value.text,
                   .nth = nth_from(parts[4])};
}

std::vector<TrackName> track_names_from(const JsonValue& list) {
  std::vector<TrackName> names;
  for (const JsonMember& each : list.members) {
    if (names.size() >= kMostRemembered) break;
    if (auto name = track_name_from(each.value)) names.push_back(std::move(*name));
  }
  return names;
}

std::vector<ProcessName> process_names_from(const JsonValue& list) {
  std::vector<ProcessName> names;
  for (const JsonMember& each : list.members) {
    const std::vector<JsonMember>& parts = each.value.members;
    if ((parts.size() != 2 && parts.size() != 3) || names.size() >= kMostRemembered) continue;
    ProcessName& name = names.emplace_back();
    name.pid = parts[0].value.text;
    if (parts.size() == 3) name.name = parts[1].value.text;
    name.nth = nth_from(parts.back());
  }
  return names;
}

}  // namespace cinderscope
