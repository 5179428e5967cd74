// What a scan goes through: the names that are held, rows and tracks with the keys of each.
#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "ingest/sql/grouped/grouped_scan.h"
#include "ingest/sql/tables/row_facts.h"

namespace cinderscope {

namespace {

bool has_key(const GroupedQuery& query, GroupKey key) {
  return std::ranges::find(query.keys, key) != query.keys.end();
}

bool is_of_name(GroupKey key) {
  return key == GroupKey::name || key == GroupKey::name_id;
}

}  // namespace

const TrackSlices& track_slices(const QueryData& data, const NumberedRow& row) {
  const std::vector<TrackSlices>& tracks = data.slices(row.input).tracks;
  return *std::ranges::lower_bound(tracks, index(row.track), {},
                                   [](const TrackSlices& each) { return index(each.track); });
}

GroupedScan::GroupedScan(const QueryData& data, const GroupedQuery& query,
                         const GroupedFilter& filter, const std::array<bool, kMeasures>& with)
    : data_(data), query_(query), filter_(filter), with_(with) {
  const auto tests = [&](SliceColumn column) { return !filter.of(column).is_all(); };
  by_depth_ = has_key(query, GroupKey::depth);
  by_name_ = std::ranges::any_of(query.keys, is_of_name);
  reads_names_ = by_name_ || tests(SliceColumn::name_id) || filter.tests_text(SliceColumn::name);
  reads_self_ =
      with[static_cast<std::size_t>(GroupedMeasure::self_dur)] || tests(SliceColumn::self_dur);
  if (filter.empty()) return;
  for (const FlagColumn& flag : kFlagColumns) {
    const bool set = filter.of(flag.column).holds(1), unset = filter.of(flag.column).holds(0);
    if (!set && !unset) return;
    if (set && unset) continue;
    flags_mask_ |= flag.bit;
    if (set) flags_value_ |= flag.bit;
  }
  reads_flags_ = flags_mask_ != 0;
  find_names();
  find_rows();
  constexpr std::array kBySlice = {SliceColumn::ts, SliceColumn::ts_end, SliceColumn::dur,
                                   SliceColumn::self_dur};
  const bool tests_ids =
      tests(SliceColumn::number) && !filter.of(SliceColumn::number).is_interval();
  counts_names_ = reads_names_ && !by_name_ && !reads_flags_ && !tests_ids &&
                  std::ranges::none_of(with_, std::identity()) &&
                  std::ranges::none_of(kBySlice, tests);
  if (!counts_names_) return;
  for (const std::vector<std::uint32_t>& names : names_) {
    std::vector<std::uint8_t> holds(names.size());
    std::ranges::transform(names, holds.begin(), [](std::uint32_t name) {
      return static_cast<std::uint8_t>(name != kNotHeld ? 1 : 0);
    });
    masks_.push_back(std::make_unique<NameMask>(std::move(holds)));
  }
}

void GroupedScan::find_names() {
  if (!reads_names_) {
    name_values_.emplace_back();
    return;
  }
  const bool by_id = has_key(query_, GroupKey::name_id);
  const bool reads_ids = by_id || !filter_.of(SliceColumn::name_id).is_all();
  std::unordered_map<std::string_view, std::uint32_t> keys;
  for (std::uint32_t input = 0; input < data_.inputs().size(); ++input) {
    const std::uint32_t count = data_.timeline(input).strings->size();
    std::vector<std::uint32_t>& names = names_.emplace_back(count, kNotHeld);
    for (std::uint32_t i = 0; i < count && !data_.stopped(); ++i) {
      const std::int64_t id = reads_ids ? data_.name_key(input, StringId{i}) : 0;
      if (!filter_.of(SliceColumn::name_id).holds(id)) continue;
      const std::string_view text = data_.text(input, StringId{i});
      if (!filter_.text_holds(SliceColumn::name, text)) continue;
      const auto next = static_cast<std::uint32_t>(name_values_.size());
      if (!by_name_) {
        names[i] = 0;
        if (next == 0) name_values_.emplace_back();
      } else if (by_id) {
        names[i] = next;
        name_values_.emplace_back(id, text);
      } else {
        const auto [found, is_new] = keys.try_emplace(text, next);
        names[i] = found->second;
        if (is_new) name_values_.emplace_back(id, text);
      }
    }
  }
  // Texts that differ have their own keys, in the order of names.
  names_as_they_are_ = std::ranges::all_of(names_, [](const std::vector<std::uint32_t>& names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (names[i] != i) return false;
    }
    return true;
  });
}

bool GroupedScan::track_holds(const NumberedRow& row) const {
  const RowKeys keys = keys_of(data_, row);
  const auto holds = [&](SliceColumn column, std::int64_t key) {
    return filter_.of(column).is_all() || (key != 0 && filter_.of(column).holds(key));
  };
  if (!holds(SliceColumn::track_id, keys.track) || !holds(SliceColumn::thread_id, keys.thread) ||
      !holds(SliceColumn::process_id, keys.process) || !holds(SliceColumn::trace_id, keys.trace)) {
    return false;
  }
  return std::ranges::all_of(filter_.texts, [&](const GroupedFilter::Text& test) {
    if (test.column == SliceColumn::name) return true;
    const RowText text = row_text(data_, row, test.column);
    return text.has && test.holds(text.text);
  });
}

void GroupedScan::find_rows() {
  std::map<std::pair<std::uint32_t, TrackId>, bool> held;
  const NumberSet& depths = filter_.of(SliceColumn::depth);
  for (const NumberedRow& row : data_.slice_numbers().rows()) {
    if (row.kind != TrackKind::thread) continue;
    const TrackSlices& track = track_slices(data_, row);
    const auto [known, is_new] = held.try_emplace({row.input, row.track});
    if (is_new) known->second = track_holds(row);
    if (!known->second) continue;
    const bool nests = !track.has_overlaps && track.blocks.size() == 1;
    const bool walks =
        (track.has_overlaps && (by_depth_ || !depths.is_all())) || (reads_self_ && !nests);
    if (walks) {
      if (!is_new) continue;
      // No slice lies in more than there are rows.
      std::size_t deepest = 1;
      for (const auto& block : track.blocks) {
        if (block == nullptr) continue;
        deepest = std::max(deepest, block->base_depth + block->rows.size());
      }
      WalkedTrack walked{row.input, &track, {}};
      for (std::uint32_t depth = 1; depth <= (by_depth_ ? deepest : 1); ++depth) {
        walked.row_keys.push_back(row_keys_of(row, depth));
      }
      walked_.push_back(std::move(walked));
      continue;
    }
    const std::uint32_t depth = depth_of_row(data_, row);
    if (!depths.holds(depth)) continue;
    ScannedRow scanned{&row, 0, 0, row.count()};
    const auto narrow = [&scanned](std::uint64_t first, std::uint64_t last) {
      scanned.first = std::max(scanned.first, first);
      scanned.last = std::min(scanned.last, last);
    };
    // Numbers and begins ascend along a row, ends nearly do.
    const NumberSet &ids = filter_.of(SliceColumn::number), &begins = filter_.of(SliceColumn::ts);
    const auto first_number = static_cast<std::int64_t>(row.first_number);
    if (ids.last() < first_number) continue;
    narrow(static_cast<std::uint64_t>(std::max(ids.first(), first_number) - first_number),
           static_cast<std::uint64_t>(ids.last() - first_number) + 1);
    const std::int64_t after = filter_.of(SliceColumn::ts_end).first();
    std::uint64_t ending = 0;
    if (after != INT64_MIN) {
      ending = row.slices->lower_bound(after);
      while (ending > 0 && row.slices->end_ns(ending - 1) >= after) --ending;
    }
    const std::int64_t until = std::min(begins.last(), filter_.of(SliceColumn::ts_end).last());
    narrow(std::max(ending, row.slices->lower_bound(begins.first())),
           until == INT64_MAX ? row.count() : row.slices->lower_bound(until + 1));
    if (scanned.first >= scanned.last) continue;
    scanned.row_keys = row_keys_of(row, depth);
    rows_.push_back(scanned);
  }
}

std::uint32_t GroupedScan::row_keys_of(const NumberedRow& row, std::uint32_t depth) {
  const RowKeys keys = keys_of(data_, row);
  std::vector<QueryCell> values;
  const auto add_key = [&values](std::int64_t key) {
    values.push_back(key == 0 ? QueryCell{} : QueryCell{key});
  };
  const auto add_text = [&](SliceColumn column) {
    const RowText text = row_text(data_, row, column);
    values.push_back(text.has ? QueryCell{text.text} : QueryCell{});
  };
  for (const GroupKey key : query_.keys) {
    switch (key) {
      case GroupKey::name:
      case GroupKey::name_id:
        values.emplace_back();
        break;
      case GroupKey::depth:
        values.emplace_back(std::int64_t{depth});
        break;
      case GroupKey::track_id:
        add_key(keys.track);
        break;
      case GroupKey::thread_id:
        add_key(keys.thread);
        break;
      case GroupKey::process_id:
        add_key(keys.process);
        break;
      case GroupKey::trace_id:
        add_key(keys.trace);
        break;
      case GroupKey::thread_name:
        add_text(SliceColumn::thread_name);
        break;
      case GroupKey::tid:
        add_text(SliceColumn::tid);
        break;
      case GroupKey::process_name:
        add_text(SliceColumn::process_name);
        break;
      case GroupKey::pid:
        add_text(SliceColumn::pid);
        break;
      case GroupKey::trace_name:
        add_text(SliceColumn::trace_name);
        break;
    }
  }
  const auto [found, is_new] =
      known_row_values_.try_emplace(values, static_cast<std::uint32_t>(row_values_.size()));
  if (is_new) row_values_.push_back(std::move(values));
  return found->second;
}

QueryCell GroupedScan::value(std::size_t key, GroupPlace place) const {
  const GroupKey of = query_.keys[key];
  if (of == GroupKey::name) return name_values_[place.name_keys].second;
  if (of == GroupKey::name_id) return name_values_[place.name_keys].first;
  return row_values_[place.row_keys][key];
}

}  // namespace cinderscope
