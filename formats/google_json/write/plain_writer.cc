#include "formats/google_json/write/plain_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "formats/google_json/text/container_note.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/saturating.h"
#include "ingest/format/trace_source.h"
#include "ingest/part/ordered_pieces.h"

namespace cinderscope::google_json {
namespace {

constexpr std::size_t kPendingBytes = std::size_t{1} << 18;
constexpr std::uint64_t kPieceSlices = 16384;
constexpr std::size_t kPieceBatch = 512;           // slices whose records are read together
constexpr std::size_t kMostPieceBytes = 1u << 20;  // then it waits for its turn
constexpr std::size_t kMostNames = 1u << 16;       // that are kept as JSON

std::string quoted(std::string_view text) {
  std::string out;
  append_text(out, text);
  return out;
}

std::string sort_text(double index) {
  return JsonWriter().number(index).str();
}

}  // namespace

PlainWriter::PlainWriter(PartReader& part, OutputFile& out, LossReport& losses)
    : PlainWriter(part, losses, part.context().jobs()) {
  out_ = &out;
}

PlainWriter::PlainWriter(PartReader& part, PlainPiece& piece, const std::function<bool()>& pass_on)
    : PlainWriter(part, piece.losses, 1) {
  piece_ = &piece;
  pass_on_ = &pass_on;
  first_ = false;
}

PlainWriter::PlainWriter(PartReader& part, LossReport& losses, unsigned jobs)
    : part_(part),
      losses_(losses),
      event_(text_, part.axis() == TimeAxis::events),
      slices_(
          jobs,
          [this](std::span<PartSlice> slices, std::vector<PartText>& texts) {
            const bool says_more = track_->kind != TrackKind::lifetimes;
            if (says_more) {
              part_.texts_of(slices, texts);
            } else {
              texts.resize(slices.size());
            }
          },
          [this](std::span<PartSlice> slices, std::vector<PartText>& texts) {
            for (std::size_t i = 0; i < slices.size(); ++i) take(slices[i], texts[i]);
          },
          jobs == 1 ? kPieceBatch : decltype(slices_)::kMost) {}

Status PlainWriter::write() {
  write_head();
  write_metadata();
  const bool apart = part_.reads_apart();
  std::vector<PartPiece> pieces;
  for (const PartTrack& track : part_.tracks()) {
    std::vector<PartPiece> of_track(1);
    of_track.front().track = &track;
    if (apart) of_track = part_.pieces_of(track, kPieceSlices);
    pieces.insert(pieces.end(), of_track.begin(), of_track.end());
  }
  Status status = ok();
  OrderedPieces<PlainPiece>(
      pieces.size(), apart ? part_.context().jobs() : 1,
      [&](std::size_t i, PlainPiece& made, const std::function<bool()>& pass_on) {
        if (!pieces[i].can_be_apart) return;  // it is written in its turn
        PlainWriter(part_, made, pass_on).write(pieces[i]);
      },
      [&](std::size_t i, PlainPiece& made, bool whole) {
        status =
            pieces[i].can_be_apart ? take(pieces[i], made, whole) : write_track(*pieces[i].track);
        return status && out_->ok();
      })
      .run();
  if (!status) return status;
  write_pauses();
  text_ += "\n]}\n";
  out_->append(text_);
  text_.clear();
  losses_.count(loss::kNotUtf8, event_.not_utf8());
  losses_.count(loss::kFlowEnds, part_.flows_cut());
  return ok();
}

void PlainWriter::begin_track(const PartTrack& track) {
  track_ = &track;
  owner_ = owner_of(track);
  raw_track_name_ = quoted(track.track_name);
  first_group_ = last_group_;
}

Status PlainWriter::write_track(const PartTrack& track) {
  begin_track(track);
  const Result<bool> whole = part_.read(track, *this);
  if (!whole) return whole.error();
  slices_.flush();
  if (!*whole && out_->ok()) {
    return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
  }
  return ok();
}

void PlainWriter::write(const PartPiece& piece) {
  begin_track(*piece.track);
  piece_->read = part_.read(piece, *this);
  slices_.flush();
  piece_->text += text_;
  losses_.count(loss::kNotUtf8, event_.not_utf8());
}

// Of a piece in its turn, or some of it.
Status PlainWriter::take(const PartPiece&, PlainPiece& piece, bool whole) {
  if (!piece.text.empty()) {
    out_->append(text_);
    text_.clear();
    // Nothing stands before the first event of all.
    out_->append(std::string_view(piece.text).substr(first_ ? 1 : 0));
    first_ = false;
    piece.text.clear();
  }
  if (!whole) return ok();
  if (!piece.read) return piece.read.error();
  if (!*piece.read && out_->ok()) {
    return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
  }
  losses_.add(piece.losses);
  for (const StringId name : piece.not_utf8) count_not_utf8(name);
  return ok();
}

// Each name once, in whichever piece it is met.
void PlainWriter::count_not_utf8(StringId name) {
  if (!not_utf8_.insert(name).second) return;
  if (piece_ != nullptr) {
    piece_->not_utf8.push_back(name);
  } else {
    losses_.count(loss::kNotUtf8);
  }
}

void PlainWriter::write_head() {
  const Timeline& timeline = part_.timeline();
  ContainerNote note{.format = part_.options().source_format,
                     .are_events = part_.axis() == TimeAxis::events,
                     .begin = part_.shift_ns()};
  for (const Track& track : timeline.tracks) {
    note.tolerance_ns = std::max(note.tolerance_ns, track.tolerance_ns);
  }
  note.range[0] = std::max(part_.options().from, timeline.begin_ns);
  note.range[1] = std::min(part_.options().to, timeline.end_ns);
  text_ += "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"cinderscope\":";
  text_ += note.json();
  text_ += "},\"traceEvents\":[";
  constexpr std::int64_t kMostExactNs = std::int64_t{1} << 53;
  if (!note.are_events && !part_.options().zero &&
      (timeline.end_ns > kMostExactNs || timeline.begin_ns < -kMostExactNs)) {
    losses_.remark(
        "Other viewers read times as doubles and will round to 0.25 µs; --zero keeps "
        "nanoseconds.");
  }
}

// Where a track belongs to no thread, its events need the id of one all the same.
std::string PlainWriter::owner_of(const PartTrack& track) const {
  const std::string_view pid = part_.processes()[track.process].pid;
  std::string_view tid = track.tid;
  if (!track.has_thread) {
    const auto known = std::ranges::find_if(part_.tracks(), [&](const PartTrack& other) {
      return other.process == track.process && other.has_thread;
    });
    tid = known == part_.tracks().end() ? pid : known->tid;
  }
  std::string owner;
  if (pid != "-") {
    owner += "\"pid\":";
    append_id(owner, pid);
  }
  std::string own_tid(tid);
  if (track.kind == TrackKind::samples) own_tid += tid == "-" ? "samples" : " samples";
  if (own_tid != "-") {
    owner += owner.empty() ? "\"tid\":" : ",\"tid\":";
    append_id(owner, own_tid);
  }
  return owner;
}

void PlainWriter::metadata(std::string_view name, std::string_view key, std::string_view value) {
  begin_event();
  event_.begin(quoted(name), {}, 'M').owner(owner_);
  event_.raw("args", fmt::format("{{\"{}\":{}}}", key, value)).end();
}

void PlainWriter::write_metadata() {
  const auto text = [this](std::string_view name, std::string_view key, std::string_view value) {
    if (value.empty()) return;
    std::string raw;
    losses_.count(loss::kNotUtf8, append_text(raw, value) ? 1 : 0);
    metadata(name, key, raw);
  };
  const auto order = [this](std::string_view name, double index) {
    if (index != 0) metadata(name, "sort_index", sort_text(index));
  };
  std::size_t described = SIZE_MAX;
  for (const PartTrack& track : part_.tracks()) {
    owner_ = owner_of(track);
    if (track.process != described) {
      described = track.process;
      const PartProcess& process = part_.processes()[track.process];
      text("process_name", "name", process.name);
      text("process_labels", "labels", process.labels);
      order("process_sort_index", process.sort_index);
    }
    if (track.kind == TrackKind::samples) {
      text("thread_name", "name", track.track_name);
      order("thread_sort_index", track.sort_index);
      continue;
    }
    if (track.kind != TrackKind::thread) continue;
    text("thread_name", "name", track.name);
    order("thread_sort_index", track.sort_index);
    // A thread without events is known by its metadata alone.
    if (track.name.empty() && track.sort_index == 0 && !track.has_slices && !track.has_instants) {
      metadata("thread_sort_index", "sort_index", "0");
    }
  }
}

void PlainWriter::begin_event() {
  if (text_.size() >= kPendingBytes) flush_text();
  text_ += first_ ? "\n" : ",\n";
  first_ = false;
}

void PlainWriter::flush_text() {
  if (out_ != nullptr) {
    out_->append(text_);
  } else {
    piece_->text += text_;
    if (going_ && piece_->text.size() >= kMostPieceBytes) going_ = (*pass_on_)();
  }
  text_.clear();
}

const std::string& PlainWriter::raw_name(StringId id, std::string_view name) {
  const auto found = names_.find(index(id));
  if (found != names_.end()) return found->second;
  if (names_.size() >= kMostNames) names_.clear();
  std::string raw;
  if (append_text(raw, name)) count_not_utf8(id);
  return names_.emplace(index(id), std::move(raw)).first->second;
}

std::string PlainWriter::id_of(std::uint64_t group) {
  const std::uint64_t id = first_group_ + group;
  last_group_ = std::max(last_group_, id);
  return fmt::format("\"0x{:x}\"", id);
}

void PlainWriter::cut_mark(const PartSlice& slice) {
  if (!slice.is_cut()) return;
  const bool are_events = part_.axis() == TimeAxis::events;
  text_ += ",\"cut\":{\"ts\":";
  append_time(text_, saturating_difference(slice.whole_begin_ns, part_.shift_ns()), are_events);
  text_ += ",\"dur\":";
  append_time(text_, saturating_difference(slice.whole_end_ns, slice.whole_begin_ns), are_events);
  text_ += '}';
}

void PlainWriter::take(const PartSlice& slice, const PartText& text) {
  const std::string& name = raw_name(slice.name_id, slice.name);
  const TrackKind kind = track_->kind;
  if (kind == TrackKind::lifetimes) return lifetime(slice);
  if (kind == TrackKind::async || kind == TrackKind::calls) return async_slice(slice, name, text);
  losses_.count_written_slice(slice.is_cut());
  const std::string_view category = kind == TrackKind::samples && text.category.empty()
                                        ? std::string_view("sample")
                                        : text.category;
  begin_event();
  event_.begin(name, category, slice.unfinished ? 'B' : 'X').time("ts", slice.begin_ns);
  // Others read no dur of a B; here it tells how long the slice goes on.
  event_.time("dur", saturating_difference(slice.end_ns, slice.begin_ns)).owner(owner_);
  if (!text.args.empty()) event_.raw("args", text.args);
  cut_mark(slice);
  event_.end();
}

void PlainWriter::async_slice(const PartSlice& slice, std::string_view name, const PartText& text) {
  losses_.count_written(loss::kAsync);
  const std::string id = id_of(slice.group == 0 ? last_group_ - first_group_ + 1 : slice.group);
  const std::string_view category = track_->kind == TrackKind::calls && text.category.empty()
                                        ? std::string_view("calls")
                                        : text.category;
  begin_event();
  event_.begin(name, category, 'b').time("ts", slice.begin_ns).owner(owner_).raw("id", id);
  if (!text.args.empty()) event_.raw("args", text.args);
  cut_mark(slice);
  event_.end();
  if (slice.unfinished) return;
  begin_event();
  event_.begin(name, category, 'e').time("ts", slice.end_ns).owner(owner_).raw("id", id).end();
}

// Its name is that of its track, and the id of the object.
void PlainWriter::lifetime(const PartSlice& slice) {
  losses_.count_written(loss::kLifetimes);
  std::string_view id = slice.name;
  if (id.starts_with(track_->track_name)) id.remove_prefix(track_->track_name.size());
  if (id.starts_with(' ')) id.remove_prefix(1);
  std::string raw_id;
  losses_.count(loss::kNotUtf8, append_text(raw_id, id) ? 1 : 0);
  const auto event = [&](char phase, std::int64_t time_ns) {
    begin_event();
    event_.begin(raw_track_name_, {}, phase).time("ts", time_ns).owner(owner_).raw("id", raw_id);
    event_.end();
  };
  event('N', slice.begin_ns);
  if (!slice.unfinished) event('D', slice.end_ns);
}

void PlainWriter::instant(const PartInstant& instant) {
  slices_.flush();
  if (track_->kind == TrackKind::lifetimes ||
      (track_->kind == TrackKind::async && instant.group == 0)) {
    losses_.count(loss::kSteps, 1, instant.record);
    return;
  }
  const PartText text = part_.text_of(instant);
  const std::string& name = raw_name(instant.name_id, instant.name);
  const bool is_step = track_->kind == TrackKind::async;
  losses_.count_written(is_step ? loss::kSteps : loss::kInstants);
  begin_event();
  event_.begin(name, text.category, is_step ? 'n' : 'i').time("ts", instant.time_ns).owner(owner_);
  if (is_step) {
    event_.raw("id", id_of(instant.group));
  } else {
    const bool is_wide = track_->kind == TrackKind::marks;
    event_.raw("s", is_wide ? (track_->global ? "\"g\"" : "\"p\"") : "\"t\"");
  }
  if (!text.args.empty()) event_.raw("args", text.args);
  event_.end();
}

void PlainWriter::flow_point(const PartFlowPoint& point) {
  slices_.flush();
  using Place = PartFlowPoint::Place;
  const char phase = point.place == Place::start ? 's' : point.place == Place::end ? 'f' : 't';
  if (point.place == Place::start) losses_.count_written(loss::kFlows);
  begin_event();
  event_.begin(quoted(point.name), "flow", phase).time("ts", point.time_ns).owner(owner_);
  event_.raw("id", fmt::to_string(point.flow));
  if (!point.to_next) event_.raw("bp", "\"e\"");
  event_.end();
}

void PlainWriter::counter(const PartCounter& counter) {
  losses_.count_written(loss::kCounters, counter.values.size());
  begin_event();
  event_.begin(raw_track_name_, {}, 'C').time("ts", counter.time_ns).owner(owner_);
  JsonWriter args;
  args.begin_object();
  for (const PartCounter::Value& value : counter.values) args.field(value.series, value.value);
  args.end_object();
  event_.raw("args", args.str());
  event_.end();
}

// Where the trace shows them on a track of their own, they are there.
void PlainWriter::write_pauses() {
  for (std::size_t p = 0; p < part_.processes().size(); ++p) {
    const auto of_process = [p](const PartTrack& track) { return track.process == p; };
    const bool are_shown = std::ranges::any_of(part_.tracks(), [&](const PartTrack& track) {
      return of_process(track) && track.kind == TrackKind::async && track.track_name == "pauses";
    });
    const auto track = std::ranges::find_if(part_.tracks(), of_process);
    if (are_shown || track == part_.tracks().end()) continue;
    owner_ = owner_of(*track);
    for (const PartPause& pause : part_.pauses(part_.processes()[p])) {
      losses_.count_written(loss::kPauses);
      first_group_ = last_group_;
      const std::string id = id_of(1);
      for (const char phase : {'b', 'e'}) {
        begin_event();
        event_.begin("\"pause\"", "pauses", phase)
            .time("ts", phase == 'b' ? pause.begin_ns : pause.end_ns)
            .owner(owner_)
            .raw("id", id)
            .end();
      }
    }
  }
}

}  // namespace cinderscope::google_json
