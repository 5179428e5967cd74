#include "formats/google_json/write/verbatim_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "formats/google_json/text/container_note.h"
#include "formats/google_json/write/sample_text.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/input/ordered_windows.h"

namespace cinderscope::google_json {
namespace {

constexpr std::uint64_t kWindowBytes = 1u << 20;

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

VerbatimWriter::VerbatimWriter(PartReader& part, const GoogleJsonSource& source, OutputFile& out,
                               LossReport& losses)
    : part_(part), source_(source), out_(out), losses_(losses) {}

Status VerbatimWriter::write() {
  if (part_.options().is_all()) return copy_all();
  const VerbatimPlan plan(part_, source_);
  if (plan.error()) return *plan.error();
  // Of the whole time of all threads every point is copied.
  const PartOptions& options = part_.options();
  if (options.has_range() || !options.tracks.empty()) {
    losses_.count(loss::kFlowEnds, part_.flows_cut());
  }
  const std::vector<TraceLoader::EventArray>& arrays = source_.arrays();
  const std::uint64_t size = source_.text().size_bytes();
  std::uint64_t at = 0;
  for (const TraceLoader::EventArray& array : arrays) {
    if (at == 0) {
      const Result<Pin> pin = source_.text().pin(0, array.begin);
      if (!pin) return pin.error();
      out_.append(head(head_members(pin->text().substr(0, array.begin), plan), array.bracketed));
    } else if (Status copied = copy_members(at, array.begin, plan); !copied) {
      return copied;
    }
    first_ = true;
    if (Status copied = copy_events(array, plan); !copied) return copied;
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
    if (Status copied = copy_range(begin, list.begin); !copied) return copied;
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
  losses_.count_written(loss::kLifetimes, timeline.lifetime_count);
  for (const Track& track : timeline.tracks) {
    for (const CounterSeries& series : track.series) {
      losses_.count_written(loss::kCounters, series.time_ns.size());
    }
  }
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
  std::vector<std::unique_ptr<EventCopier>> copiers;
  for (unsigned i = 0; i < jobs; ++i) copiers.push_back(std::make_unique<EventCopier>(plan, input));
  using Window = TraceLoader::EventWindow;
  const std::vector<Window>& windows = source_.windows();
  auto next = std::ranges::lower_bound(windows, array.begin, {}, &Window::begin);
  std::optional<Error> error;
  for_windows_in_order<Window, CopiedEvents>(
      jobs,
      [&]() -> std::optional<Window> {
        while (next != windows.end() && next->begin < array.end && plan.skips(*next)) ++next;
        if (next == windows.end() || next->begin >= array.end) return std::nullopt;
        return *next++;
      },
      [&](unsigned worker, const Window& window) {
        return copiers[worker]->copy(window.begin, window.end, array.bracketed);
      },
      [&](const Window&, CopiedEvents copied) {
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

void VerbatimWriter::use(CopiedEvents&& copied) {
  losses_.add(copied.losses);
  for (auto& [key, held] : copied.held) {
    HeldCounter& known = held_[key];
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
