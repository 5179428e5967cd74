#include "ingest/prepared/copy_reader.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"
#include "ingest/prepared/copy_layout.h"
#include "ingest/prepared/fill_rows.h"
#include "ingest/prepared/mapped_copy.h"
#include "ingest/prepared/model_fields.h"
#include "ingest/totals/precomputed/kept_totals.h"

namespace cinderscope {
namespace prepared {
namespace {

// Names whose letters stay in the file. Null if the records do not fit them.
std::shared_ptr<StringPool> names_of(const std::shared_ptr<const MappedCopy>& copy) {
  const std::span<const NameRecord> records = copy->values<NameRecord>(Section::name_records);
  std::string_view letters = copy->text(Section::letters);
  std::vector<StringPool::Known> known(records.size());
  if (known.empty() || records.front().text_bytes != 0) return nullptr;
  const auto take = [&letters](std::uint32_t bytes, std::string_view& out) {
    if (bytes > letters.size()) return false;
    out = letters.substr(0, bytes);
    letters.remove_prefix(bytes);
    return true;
  };
  for (std::size_t i = 0; i < known.size(); ++i) {
    const NameRecord& record = records[i];
    known[i].hash = record.hash;
    if (!take(record.text_bytes, known[i].text)) return nullptr;
    if (record.label_bytes == NameRecord::kNoLabel) continue;
    known[i].has_label = true;
    known[i].colour = record.colour;
    if (!take(record.label_bytes, known[i].label)) return nullptr;
  }
  return letters.empty() ? std::make_shared<StringPool>(known, copy) : nullptr;
}

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

FlowPoint point_of(const PointRecord& record) {
  return {TrackId{record.track}, record.row, record.slice, record.time_ns, record.slice_begin_ns};
}

bool points_into(const FlowPoint& point, const Timeline& timeline) {
  if (point.track == kNoTrack) return point.slice_begin_ns == 0;
  if (index(point.track) >= timeline.tracks.size()) return false;
  const std::vector<SliceRow>& rows = timeline.tracks[index(point.track)].root().rows;
  return point.row < rows.size() && point.slice < rows[point.row].count();
}

// Null if they do not fit the timeline, whose rows are there.
std::shared_ptr<const Flows> flows_of(const MappedCopy& copy, const Timeline& timeline) {
  auto flows = std::make_shared<Flows>();
  const std::span<const PointRecord> told = copy.values<PointRecord>(Section::flow_points);
  const auto is_sound = [&timeline](const PointRecord& each) {
    return points_into(point_of(each), timeline);
  };
  if (told.size() > Flows::kMostPoints || !std::ranges::all_of(told, is_sound)) return {};
  flows->points = FlowPoints::of(told.size(), [told](std::size_t i) { return point_of(told[i]); });
  const auto point_flow = copy.values<std::uint32_t>(Section::point_flow);
  const auto by_slice = copy.values<std::uint64_t>(Section::by_slice);
  const std::span<const FlowRecord> records = copy.values<FlowRecord>(Section::flows);
  std::vector<Flow> list;
  list.reserve(records.size());
  const std::size_t points = flows->points.size();
  std::uint64_t next_point = 0;
  for (const FlowRecord& record : records) {
    if (record.first_point != next_point || record.point_count > points - next_point) return {};
    next_point += record.point_count;
    list.push_back({StringId{record.name}, static_cast<std::uint32_t>(record.first_point),
                    record.by_bind_id != 0});
  }
  flows->flows = FlowList(list);
  const auto is_point = [points](std::uint64_t i) { return i < points; };
  if (!std::ranges::all_of(by_slice, is_point)) return {};
  flows->by_slice = NarrowNumbers(by_slice.size(), points);
  for (std::size_t i = 0; i < by_slice.size(); ++i) flows->by_slice.set(i, by_slice[i]);
  // Whose a point is follows from the flows.
  if (point_flow.size() != points || next_point != points) return {};
  for (std::size_t i = 0; i < points; ++i) {
    if (flows->flow_of(i) != point_flow[i]) return {};
  }
  return flows;
}

bool fill_series(const MappedCopy& copy, const std::vector<SeriesToFill>& series) {
  std::span<const std::int64_t> times = copy.values<std::int64_t>(Section::counter_times);
  std::span<const double> values = copy.values<double>(Section::counter_values);
  if (times.size() != values.size()) return false;
  for (const SeriesToFill& each : series) {
    if (each.values == 0 || each.values > times.size()) return false;
    each.series->time_ns = copied(times.first(each.values));
    each.series->value = copied(values.first(each.values));
    times = times.subspan(each.values);
    values = values.subspan(each.values);
  }
  return times.empty();
}

Result<PreparedCopy> timeline_of(std::shared_ptr<const MappedCopy> mapped, unsigned jobs) {
  FieldReader fields(mapped->text(Section::model));
  ModelToFill model;
  read_model(fields, model);
  if (!fields.done()) return damaged_copy();
  if (!fill_rows(mapped, model.rows, jobs)) return damaged_copy();
  if (!fill_series(*mapped, model.series)) return damaged_copy();
  model.timeline.strings = names_of(mapped);
  if (model.timeline.strings == nullptr) return damaged_copy();
  model.timeline.flows = flows_of(*mapped, model.timeline);
  if (model.timeline.flows == nullptr) return damaged_copy();
  std::string state(mapped->text(Section::state));
  return PreparedCopy{.timeline = std::move(model.timeline),
                      .state = std::move(state),
                      .mapped = std::move(mapped)};
}

}  // namespace
}  // namespace prepared

Result<CopyFacts> prepared_copy_facts(const std::filesystem::path& path) {
  using namespace prepared;
  const auto mapped = MappedCopy::open(path);
  if (!mapped) return mapped.error();
  FieldReader about((*mapped)->text(Section::about));
  CopyFacts facts{std::string(about.take_text()), std::string((*mapped)->text(Section::key))};
  const bool sound = about.ok() && (*mapped)->is_sound(Section::about);
  if (!sound || !(*mapped)->is_sound(Section::key)) return damaged_copy();
  return facts;
}

Result<PreparedCopy> open_prepared_copy(const std::filesystem::path& path, std::string_view key,
                                        unsigned jobs) {
  using namespace prepared;
  try {
    Result<std::shared_ptr<MappedCopy>> mapped = MappedCopy::open(path);
    if (!mapped) return mapped.error();
    if ((*mapped)->text(Section::key) != key) {
      return refused("The prepared copy is of another state of the trace.");
    }
    std::atomic<bool> sound{true};
    // Columns and totals are looked at afterwards.
    parallel_for(static_cast<std::size_t>(Section::columns), jobs, [&](std::size_t i) {
      if (!(*mapped)->is_sound(static_cast<Section>(i))) sound = false;
    });
    if (!sound || !(*mapped)->make_chunks(jobs)) return damaged_copy();
    return timeline_of(std::move(*mapped), jobs);
  } catch (const std::bad_alloc&) {
    return Error{.code = ErrorCode::no_memory, .text = "There is not enough memory."};
  }
}

Result<std::shared_ptr<const PrecomputedTotals>> check_columns(const PreparedCopy& copy,
                                                               unsigned jobs,
                                                               const std::atomic<bool>& cancelled) {
  using namespace prepared;
  const MappedCopy& mapped = *copy.mapped;
  const std::span<const std::uint64_t> hashes =
      mapped.values<std::uint64_t>(Section::column_hashes);
  const std::uint32_t names = copy.timeline.strings->size();
  std::atomic<bool> sound{true};
  ReadTotals read;
  const auto read_totals_of_copy = [&] {
    read.sound = mapped.is_sound(Section::totals);
    if (!read.sound) return;
    read = read_totals(mapped.text(Section::totals), *slice_set_of(copy.timeline), jobs);
  };
  parallel_for(hashes.size() + 1, jobs, [&](std::size_t i) {
    if (cancelled || !sound) return;
    yield_to_ui();
    if (i == 0) return read_totals_of_copy();
    if (!mapped.piece_is_sound(i - 1, names)) {
      sound = false;
    } else {
      mapped.note_sound(i - 1);
    }
  });
  if (!sound || !read.sound) return damaged_copy();
  if (cancelled) return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  mapped.note_all_sound();
  return std::move(read.totals);
}

}  // namespace cinderscope
