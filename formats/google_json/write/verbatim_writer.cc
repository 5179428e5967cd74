#include "formats/google_json/write/verbatim_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/text/container_note.h"
#include "formats/google_json/write/sample_text.h"
#include "ingest/base/json_writer.h"
#include "ingest/base/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/input/ordered_windows.h"

namespace cinderscope::google_json {
namespace {

constexpr std::uint64_t kWindowBytes = 1u << 20;

using Change = VerbatimPlan::Change;
using Fate = VerbatimPlan::Fate;

Error cancelled() {
  return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
}

}  // namespace

const GoogleJsonSource* copied_from(const PartReader& part) {
  const PartOptions& options = part.options();
  if (options.rewrite || !options.args || !options.categories || options.names != nullptr ||
      options.owner_names != nullptr) {
    return nullptr;
  }
  const auto* source = dynamic_cast<const GoogleJsonSource*>(part.source());
  return source != nullptr && (options.is_all() || source->knows_ends()) ? source : nullptr;
}

// Makes the text of one window. One thread.
class VerbatimWriter::Copier final : private EventVisitor {
 public:
  Copier(const VerbatimPlan& plan, const Input& input) : plan_(plan), parser_(input, this) {}

  Copied copy(std::uint64_t begin, std::uint64_t limit, bool bracketed) {
    out_ = {};
    separator_ = bracketed ? ",\n" : "\n";
    parser_.parse(begin, limit, bracketed);
    return std::move(out_);
  }

 private:
  void event(const RawEvent& event, const char* bytes, std::uint64_t offset) override {
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
      case Fate::flow_outside:
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

  void count(char phase, bool cut) {
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

  std::string time_text(std::int64_t time) const { return plan_.time_text(time); }
  std::string length_text(std::int64_t length) const { return plan_.length_text(length); }

  Edit edit_of(const RawEvent& event, Key key, std::string text) const {
    return {event[key].begin - event.begin, event[key].end - event.begin, std::move(text)};
  }

  // All times are to be moved: that of the event, and that of an older cut.
  std::vector<Edit> moved(const RawEvent& event, const char* bytes, std::int64_t time) const {
    std::vector<Edit> edits = {edit_of(event, Key::time, time_text(time))};
    if (event.has(Key::cut)) edits.push_back(edit_of(event, Key::cut, moved_cut(event, bytes)));
    return edits;
  }
  std::string moved_cut(const RawEvent& event, const char* bytes) const {
    const std::string_view cut(bytes + event[Key::cut].begin,
                               event[Key::cut].end - event[Key::cut].begin);
    const std::string_view ts = json::member(cut, "ts"), dur = json::member(cut, "dur");
    const auto begin = time_from_decimal(ts);
    if (!begin || dur.empty()) return std::string(cut);
    return fmt::format("{{\"ts\":{},\"dur\":{}}}", time_text(plan_.clock().time(begin->ns)), dur);
  }

  // Events with samples come later than these, by up to a buffer of them. What has not ended lasts
  // to the last event, so none may lie behind the range.
  std::vector<Edit> profile_edits(const RawEvent& event, const char* bytes,
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

  std::string changed(const RawEvent& event, const char* bytes, const Change& change) {
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
      added +=
          fmt::format(",\"cut\":{{\"ts\":{},\"dur\":{}}}", time_text(change.whole_begin),
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

  std::string key_of(const RawEvent& event, const char* bytes) const {
    std::string key;
    for (const Key part : {Key::pid, Key::name, Key::id, Key::id2}) {
      if (event.has(part)) {
        key.append(bytes + event[part].begin, event[part].end - event[part].begin);
      }
      key += '\n';
    }
    return key;
  }

  void hold(const RawEvent& event, const char* bytes, std::int64_t time) {
    Held& held = out_.held[key_of(event, bytes)];
    if (!held.event.empty() && held.time > time) return;
    if (held.replaced) return;
    const std::string_view text(bytes + event.begin, event.end - event.begin);
    held.time = time;
    held.event = edited(text, {edit_of(event, Key::time, time_text(plan_.from()))});
  }

  const VerbatimPlan& plan_;
  WindowParser parser_;
  std::string_view separator_;
  Copied out_;
};

VerbatimWriter::VerbatimWriter(PartReader& part, const GoogleJsonSource& source, OutputFile& out,
                               LossReport& losses)
    : part_(part), source_(source), out_(out), losses_(losses) {}

Status VerbatimWriter::write() {
  if (part_.options().is_all()) return copy_all();
  const VerbatimPlan plan(part_, source_);
  if (plan.error()) return *plan.error();
  const std::vector<TraceLoader::EventArray>& arrays = source_.arrays();
  const std::uint64_t size = source_.text().size_bytes();
  std::uint64_t at = 0;
  for (const TraceLoader::EventArray& array : arrays) {
    if (at == 0) {
      const Result<Pin> pin = source_.text().pin(0, array.begin);
      if (!pin) return pin.error();
      out_.append(head(head_members(pin->text().substr(0, array.begin), plan), array.bracketed));
    } else if (const Status copied = copy_members(at, array.begin, plan); !copied) {
      return copied;
    }
    first_ = true;
    if (const Status copied = copy_events(array, plan); !copied) return copied;
    at = array.end;
    const bool wrapped = part_.options().zero && !array.bracketed;
    const bool closes = array.stop == WindowEnd::array_end;
    if (closes || wrapped) out_.append("\n]");
    if (closes) continue;
    // The input ends here; what it left open is closed.
    const Result<Pin> pin = source_.text().pin(0, std::min<std::uint64_t>(array.begin, 4096));
    if (!pin) return pin.error();
    if (array.bracketed) {
      const std::size_t opening = pin->text().find_first_of("[{");
      out_.append(opening != std::string_view::npos && pin->text()[opening] == '{' ? "\n]}\n"
                                                                                   : "\n]\n");
    } else {
      out_.append(wrapped ? "}\n" : "\n");
    }
    return ok();
  }
  const bool is_array = part_.options().zero && [&] {
    const Result<Pin> pin = source_.text().pin(0, 4096);
    if (!pin) return false;
    const std::size_t opening = pin->text().find_first_of("[{");
    return opening != std::string_view::npos && pin->text()[opening] == '[';
  }();
  if (is_array) {
    out_.append("}\n");
    return ok();
  }
  return copy_members(at, size, plan);
}

// The text before the first event, with the samples of the part.
std::string VerbatimWriter::head_members(std::string_view text, const VerbatimPlan& plan) const {
  std::string out;
  std::size_t at = 0;
  for (const TextRange& list : source_.sample_lists()) {
    if (list.end > text.size()) break;
    out += text.substr(at, list.begin - at);
    out += part_of_samples(text.substr(list.begin, list.end - list.begin), plan);
    at = list.end;
  }
  out += text.substr(at);
  return out;
}

// Members of the container, of `samples` those of the part.
Status VerbatimWriter::copy_members(std::uint64_t begin, std::uint64_t end,
                                    const VerbatimPlan& plan) {
  for (const TextRange& list : source_.sample_lists()) {
    if (list.begin < begin || list.end > end) continue;
    if (const Status copied = copy_range(begin, list.begin); !copied) return copied;
    const Result<Pin> pin = source_.text().pin(list.begin, list.end - list.begin);
    if (!pin) return pin.error();
    out_.append(part_of_samples(pin->text().substr(0, list.end - list.begin), plan));
    begin = list.end;
  }
  return copy_range(begin, end);
}

// The container's text before the first event, with a note where times are moved.
std::string VerbatimWriter::head(std::string_view text, bool bracketed) const {
  if (!part_.options().zero) return std::string(text);
  const std::size_t opening = text.find('{');
  const std::size_t array = text.find('[');
  if (!bracketed || opening == std::string_view::npos || array < opening) {
    return fmt::format("{{\"otherData\":{{\"cinderscope\":{}}},\"traceEvents\":[", note());
  }
  json::MemberReader members(text.substr(opening));
  while (members.next()) {
    if (members.raw_key() != "otherData" || !json::is_object(members.value())) continue;
    std::string changed = "{";
    json::MemberReader inside(members.value());
    while (inside.next()) {
      if (inside.raw_key() == "cinderscope") continue;
      changed.append("\"").append(inside.raw_key()).append("\":").append(inside.value()) += ',';
    }
    changed += "\"cinderscope\":" + note() + "}";
    const auto at = static_cast<std::size_t>(members.value().data() - text.data());
    return std::string(text.substr(0, at)) + changed +
           std::string(text.substr(at + members.value().size()));
  }
  return fmt::format("{}\"otherData\":{{\"cinderscope\":{}}},{}", text.substr(0, opening + 1),
                     note(), text.substr(opening + 1));
}

std::string VerbatimWriter::note() const {
  const Timeline& timeline = part_.timeline();
  ContainerNote note{.format = "google_json",
                     .are_events = part_.axis() == TimeAxis::events,
                     .begin = part_.shift_ns()};
  for (const Track& track : timeline.tracks) {
    note.tolerance_ns = std::max(note.tolerance_ns, track.tolerance_ns);
  }
  note.range[0] = std::max(part_.options().from, timeline.begin_ns);
  note.range[1] = std::min(part_.options().to, timeline.end_ns);
  return note.json();
}

Status VerbatimWriter::copy_all() {
  const Timeline& timeline = part_.timeline();
  losses_.add_slices(timeline.slice_count);
  losses_.count_written(loss::kInstants, timeline.instant_count);
  losses_.count_written(loss::kAsync, timeline.async_slice_count);
  losses_.count_written(loss::kFlows, timeline.flow_count);
  return copy_range(0, source_.text().size_bytes());
}

Status VerbatimWriter::copy_range(std::uint64_t begin, std::uint64_t end) {
  while (begin < end && out_.ok()) {
    if (part_.context().cancelled()) return cancelled();
    const std::uint64_t size = std::min(end - begin, kWindowBytes);
    const Result<Pin> pin = source_.text().pin(begin, size);
    if (!pin) return pin.error();
    const std::string_view text = pin->text().substr(0, size);
    if (text.empty()) break;
    out_.append(text);
    begin += text.size();
  }
  return ok();
}

Status VerbatimWriter::copy_events(const TraceLoader::EventArray& array, const VerbatimPlan& plan) {
  const Input& input = source_.text();
  const unsigned jobs = part_.context().jobs();
  std::vector<std::unique_ptr<Copier>> copiers;
  for (unsigned i = 0; i < jobs; ++i) copiers.push_back(std::make_unique<Copier>(plan, input));
  using Window = TraceLoader::EventWindow;
  const std::vector<Window>& windows = source_.windows();
  auto next = std::ranges::lower_bound(windows, array.begin, {}, &Window::begin);
  std::optional<Error> error;
  for_windows_in_order<Window, Copied>(
      jobs,
      [&]() -> std::optional<Window> {
        while (next != windows.end() && next->begin < array.end && plan.skips(*next)) ++next;
        if (next == windows.end() || next->begin >= array.end) return std::nullopt;
        return *next++;
      },
      [&](unsigned worker, const Window& window) {
        return copiers[worker]->copy(window.begin, window.end, array.bracketed);
      },
      [&](const Window&, Copied copied) {
        use(std::move(copied));
        if (part_.context().cancelled()) error = cancelled();
        return !error && out_.ok();
      },
      [] {});
  if (error) return *error;
  for (auto& [key, held] : held_) {
    if (held.replaced) continue;
    losses_.count_written(loss::kCounters);
    append((array.bracketed ? ",\n" : "\n") + held.event);
  }
  held_.clear();
  return ok();
}

void VerbatimWriter::use(Copied copied) {
  losses_.add(copied.losses);
  for (auto& [key, held] : copied.held) {
    Held& known = held_[key];
    if (known.replaced || (!known.event.empty() && known.time > held.time && !held.replaced)) {
      continue;
    }
    known = std::move(held);
  }
  append(copied.text);
}

// `events` begin with a separator.
void VerbatimWriter::append(std::string_view events) {
  if (events.empty()) return;
  if (first_ && events.front() == ',') events.remove_prefix(1);
  first_ = false;
  out_.append(events);
}

}  // namespace cinderscope::google_json
