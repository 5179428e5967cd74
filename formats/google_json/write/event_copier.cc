#include "formats/google_json/write/event_copier.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/google_json/write/sample_text.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::google_json {

using Fate = VerbatimPlan::Fate;

CopiedEvents EventCopier::copy(std::uint64_t begin, std::uint64_t limit, bool bracketed) {
  out_ = {};
  separator_ = bracketed ? ",\n" : "\n";
  parser_.parse(begin, limit, bracketed);
  return std::move(out_);
}

void EventCopier::event(const RawEvent& event, const char* bytes, std::uint64_t offset) {
  const VerbatimPlan::Decision decision = plan_.decide(event, bytes, offset);
  const std::string_view text(bytes + event.begin, event.end - event.begin);
  const RecordOffset record = offset + event.begin;
  switch (decision.fate) {
    case Fate::left_out:
      // That of a slice that is cut: its begin is written as a whole slice.
      if (decision.ends_cut && event.has(Key::args)) {
        out_.losses.count(loss::kArguments, 1, record);
      }
      // A whole profile is one instant, which lies outside.
      if (decision.chunk != nullptr && plan_.profiles().part(*decision.chunk).is_written) {
        out_.losses.count(loss::kSamples, decision.chunk->kept, record);
      }
      return;
    case Fate::flow_alone:
      out_.losses.count(loss::kFlowEnds, 1, record);
      return;
    case Fate::held:
      hold(event, bytes, decision.time);
      return;
    case Fate::changed:
      count(decision.phase, true);
      out_.text += separator_;
      out_.text += changed(event, bytes, *decision.change);
      return;
    case Fate::profile:
      out_.losses.count_written(loss::kSamples, decision.chunk->kept);
      if (decision.phase != 'P') count(decision.phase, false);
      out_.text += separator_;
      out_.text += edited(text, profile_edits(event, bytes, decision));
      return;
    case Fate::copied:
      count(decision.phase, event.has(Key::cut));
      if (decision.phase == 'C' && decision.time == plan_.from()) {
        out_.held[key_of(event, bytes)] = {decision.time, {}, true};
      }
      out_.text += separator_;
      if (plan_.moves_all() && event.has(Key::time) && decision.phase != 'M') {
        out_.text += edited(text, moved(event, bytes, decision.time));
      } else {
        out_.text += text;
      }
  }
}

void EventCopier::count(char phase, bool cut) {
  switch (phase) {
    case 'X':
    case 'B':
      return out_.losses.count_written_slice(cut);
    case 'b':
    case 'S':
      return out_.losses.count_written(loss::kAsync);
    case 'N':
      return out_.losses.count_written(loss::kLifetimes);
    case 'i':
    case 'I':
    case 'R':
      return out_.losses.count_written(loss::kInstants);
    case 'C':
      return out_.losses.count_written(loss::kCounters);
    case 's':
      return out_.losses.count_written(loss::kFlows);
    case 'P':
      return out_.losses.count_written(loss::kSamples);
    default:
      return;
  }
}

Edit EventCopier::edit_of(const RawEvent& event, Key key, std::string text) const {
  return {event[key].begin - event.begin, event[key].end - event.begin, std::move(text)};
}

std::vector<Edit> EventCopier::moved(const RawEvent& event, const char* bytes,
                                     std::int64_t time) const {
  std::vector<Edit> edits = {edit_of(event, Key::time, time_text(time))};
  if (event.has(Key::cut)) edits.push_back(edit_of(event, Key::cut, moved_cut(event, bytes)));
  return edits;
}

std::string EventCopier::moved_cut(const RawEvent& event, const char* bytes) const {
  const std::string_view cut(bytes + event[Key::cut].begin,
                             event[Key::cut].end - event[Key::cut].begin);
  const std::string_view ts = json::member(cut, "ts"), dur = json::member(cut, "dur");
  const auto begin = time_from_decimal(ts);
  if (!begin || dur.empty()) return std::string(cut);
  return fmt::format("{{\"ts\":{},\"dur\":{}}}", time_text(plan_.clock().time(begin->ns)), dur);
}

std::vector<Edit> EventCopier::profile_edits(const RawEvent& event, const char* bytes,
                                             const VerbatimPlan::Decision& decision) const {
  const ProfilePlan::Chunk& chunk = *decision.chunk;
  std::vector<Edit> edits;
  const bool tells_begin = chunk.record == plan_.profiles().part(chunk).samples->record;
  const std::int64_t time = tells_begin ? decision.time : std::min(decision.time, plan_.to());
  if (plan_.moves_all() || time != decision.time) {
    edits.push_back(edit_of(event, Key::time, time_text(time)));
  }
  if (!event.has(Key::args)) return edits;
  const std::string_view text(bytes + event.begin, event.end - event.begin);
  const std::string_view args(bytes + event[Key::args].begin,
                              event[Key::args].end - event[Key::args].begin);
  add_profile_edits(text, args, chunk, decision.phase != 'P', plan_, edits);
  return edits;
}

std::string EventCopier::changed(const RawEvent& event, const char* bytes, const Change& change) {
  const std::string_view text(bytes + event.begin, event.end - event.begin);
  const bool is_end = change.kind == Change::Kind::async_end;
  std::vector<Edit> edits = {
      edit_of(event, Key::time, time_text(is_end ? change.end : change.begin))};
  if (is_end) return edited(text, std::move(edits));
  std::string added;  // members behind all others
  if (change.kind == Change::Kind::slice) {
    const std::string length = length_text(saturating_difference(change.end, change.begin));
    edits.push_back(edit_of(event, Key::phase, "\"X\""));
    if (event.has(Key::duration)) {
      edits.push_back(edit_of(event, Key::duration, length));
    } else {
      added += ",\"dur\":" + length;
    }
  }
  const bool is_open = change.kind == Change::Kind::unfinished;
  if (is_open && event.has(Key::duration)) {
    edits.push_back(edit_of(event, Key::duration,
                            length_text(saturating_difference(change.end, change.begin))));
  }
  // What was cut before keeps telling where it was at first.
  const bool is_cut = !is_open || change.begin > change.whole_begin;
  if (is_cut && !event.has(Key::cut)) {
    added += fmt::format(",\"cut\":{{\"ts\":{},\"dur\":{}}}", time_text(change.whole_begin),
                         length_text(saturating_difference(change.whole_end, change.whole_begin)));
  } else if (event.has(Key::cut) && plan_.moves_all()) {
    edits.push_back(edit_of(event, Key::cut, moved_cut(event, bytes)));
  }
  std::size_t last = text.size() - 1;  // behind the last member
  while (last > 0 && (json::is_blank(text[last - 1]) || text[last - 1] == ',')) --last;
  edits.push_back({static_cast<std::uint32_t>(last), static_cast<std::uint32_t>(text.size() - 1),
                   std::move(added)});
  return edited(text, std::move(edits));
}

std::string EventCopier::key_of(const RawEvent& event, const char* bytes) const {
  std::string key;
  for (const Key part : {Key::pid, Key::name, Key::id, Key::id2}) {
    if (event.has(part)) {
      key.append(bytes + event[part].begin, event[part].end - event[part].begin);
    }
    key += '\n';
  }
  return key;
}

void EventCopier::hold(const RawEvent& event, const char* bytes, std::int64_t time) {
  HeldCounter& held = out_.held[key_of(event, bytes)];
  if (!held.event.empty() && held.time > time) return;
  if (held.replaced) return;
  const std::string_view text(bytes + event.begin, event.end - event.begin);
  held.time = time;
  held.event = edited(text, {edit_of(event, Key::time, time_text(plan_.from()))});
}

}  // namespace cinderscope::google_json
