// The table flow: a row an arrow, from one point of a flow to the next.
#include <algorithm>

#include "ingest/model/flow_links.h"
#include "ingest/sql/tables/all_tables.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

// Arrows of all inputs in order: those of a flow follow each other.
class Arrows {
 public:
  explicit Arrows(const QueryData& data) : data_(data), first_flow_{1} {
    for (std::uint32_t i = 0; i < data.inputs().size(); ++i) {
      const Flows& flows = *data.timeline(i).flows;
      first_flow_.push_back(first_flow_.back() + static_cast<std::int64_t>(flows.flows.size()));
      for (std::size_t flow = 0; flow < flows.flows.size(); ++flow) {
        count_ += std::max<std::uint64_t>(flows.points_of(flow).count(), 1) - 1;
      }
    }
  }
  const QueryData& data() const { return data_; }
  std::int64_t flows() const { return first_flow_.back() - 1; }
  std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  std::int64_t first_flow(std::uint32_t input) const { return first_flow_[input]; }
  std::uint32_t input_of(std::int64_t flow) const {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(first_flow_, flow) -
                                      first_flow_.begin() - 1);
  }

 private:
  const QueryData& data_;
  std::vector<std::int64_t> first_flow_;  // of each input, then one more
  std::uint64_t count_ = 0;
};

class ArrowCursor final : public TableCursor {
 public:
  explicit ArrowCursor(const Arrows& arrows) : arrows_(arrows) {}

  int filter(const PlanText& plan, std::span<sqlite3_value*> arguments) override {
    wanted_ = {};
    from_ = to_ = {};
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
      NumberSet& set = plan.terms[i].column == 0   ? wanted_
                       : plan.terms[i].column == 4 ? from_
                                                   : to_;
      set.keep(numbers_of(plan.terms[i], arguments[i]));
    }
    picked_.clear();
    by_slice_ = !from_.is_all() || !to_.is_all();
    at_ = 0;
    if (by_slice_) {
      pick();
      return SQLITE_OK;
    }
    flow_ = std::max<std::int64_t>(wanted_.first(), 1) - 1;
    step_ = UINT32_MAX - 1;
    return next();
  }
  int next() override {
    if (by_slice_) {
      ++at_;
      return SQLITE_OK;
    }
    for (;;) {
      if (flow_ > 0 && !eof() && ++step_ < points_of_flow()) return SQLITE_OK;
      ++flow_;
      step_ = 0;
      if (eof()) return SQLITE_OK;
      if (flow_ % 4096 == 0 && arrows_.data().stopped()) return SQLITE_INTERRUPT;
      if (!wanted_.holds(flow_)) step_ = UINT32_MAX - 1;
    }
  }
  bool eof() const override {
    if (by_slice_) return at_ >= picked_.size();
    return flow_ > std::min(arrows_.flows(), wanted_.last());
  }
  int column(sqlite3_context* out, int column) override {
    const Place place = now();
    const Timeline& timeline = arrows_.data().timeline(place.input);
    const Flow flow = timeline.flows->flows[place.flow];
    const FlowPoint from = flow_point(timeline, flow.first_point + place.step - 1);
    const FlowPoint to = flow_point(timeline, flow.first_point + place.step);
    switch (column) {
      case 0:
        sqlite3_result_int64(out, arrows_.first_flow(place.input) + place.flow);
        break;
      case 1:
        sqlite3_result_int64(out,
                             trace_of(place.input, from.track != kNoTrack ? from.track : to.track));
        break;
      case 2:
        give_lasting_text(out, arrows_.data().text(place.input, flow.name));
        break;
      case 3:
        sqlite3_result_int64(out, place.step);
        break;
      case 4:
      case 5:
        give_key(out, number_of(place.input, slice_of(column == 4 ? from : to)));
        break;
      default:
        sqlite3_result_int64(out, column == 6 ? from.time_ns : to.time_ns);
    }
    return SQLITE_OK;
  }
  sqlite3_int64 rowid() const override {
    const Place place = now();
    return (arrows_.first_flow(place.input) + place.flow) << 24 | place.step;
  }

 private:
  struct Place {
    std::uint32_t input = 0, flow = 0, step = 0;  // steps count from 1
    auto operator<=>(const Place&) const = default;
  };
  Place now() const {
    if (by_slice_) return picked_[at_];
    const std::uint32_t input = arrows_.input_of(flow_);
    return {input, static_cast<std::uint32_t>(flow_ - arrows_.first_flow(input)), step_};
  }
  std::uint64_t points_of_flow() const {
    const Place place = now();
    return arrows_.data().timeline(place.input).flows->points_of(place.flow).count();
  }
  std::int64_t number_of(std::uint32_t input, const SliceRef& slice) const {
    if (!slice) return 0;
    return static_cast<std::int64_t>(arrows_.data().slice_numbers().number_of(input, slice));
  }
  std::int64_t trace_of(std::uint32_t input, TrackId track) const {
    return track == kNoTrack ? arrows_.data().trace_key(input, ProcessId{0})
                             : arrows_.data().trace_key(input, track);
  }
  // The arrows at the slices of a list.
  void pick() {
    const bool from = !from_.is_all();
    const auto count = static_cast<std::int64_t>(arrows_.data().slice_numbers().count());
    for (const std::int64_t number : (from ? from_ : to_).numbers_in(1, count)) {
      const auto place =
          arrows_.data().slice_numbers().place_of(static_cast<std::uint64_t>(number));
      if (!place) continue;
      const Flows& flows = *arrows_.data().timeline(place->row->input).flows;
      for (const std::uint32_t point : points_of(flows, place->slice())) {
        const std::uint32_t flow = flows.flow_of(point);
        const Flows::Range all = flows.points_of(flow);
        const auto step = static_cast<std::uint32_t>(point - all.first);
        if (from && step + 1 >= all.count()) continue;
        if (!from && step == 0) continue;
        const Place arrow{place->row->input, flow, from ? step + 1 : step};
        const SliceRef other = flows.points.slice(all.first + arrow.step);
        if (!wanted_.holds(arrows_.first_flow(arrow.input) + flow)) continue;
        if (from && !to_.is_all() && !to_.holds(number_of(arrow.input, other))) continue;
        picked_.push_back(arrow);
      }
    }
    std::ranges::sort(picked_);
    picked_.erase(std::unique(picked_.begin(), picked_.end()), picked_.end());
  }

  const Arrows& arrows_;
  NumberSet wanted_, from_, to_;
  std::int64_t flow_ = 0;
  std::uint32_t step_ = 0;
  bool by_slice_ = false;
  std::vector<Place> picked_;
  std::size_t at_ = 0;
};

class FlowTable final : public SqlTable {
 public:
  explicit FlowTable(const QueryData& data) : data_(data), arrows_(data) {}

  int plan(sqlite3_index_info& info) const override {
    PlanWriter plan(info);
    auto rows = static_cast<double>(arrows_.count());
    for (int i = 0; i < info.nConstraint && !data_.plain(); ++i) {
      const auto& constraint = info.aConstraint[i];
      const bool equal = constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
      const int column = constraint.iColumn;
      if (!constraint.usable || !equal || (column != 0 && column != 4 && column != 5)) continue;
      plan.take(i, true);
      rows = std::min(rows, 2.0);
    }
    return plan.finish(rows, rows * kRowCost);
  }
  std::unique_ptr<TableCursor> open() const override {
    return std::make_unique<ArrowCursor>(arrows_);
  }

 private:
  const QueryData& data_;
  Arrows arrows_;
};

}  // namespace

const TableEntry& flow_table() {
  static const TableEntry entry = {
      .name = "flow",
      .help = "Arrows of flows, from slice to slice",
      .columns = {{"flow_id", integer},
                  {"trace_id", integer},
                  {"name", text},
                  {"step", integer, "1, 2, … along the flow"},
                  {"from_slice_id", slice, "NULL: there is no slice at this end"},
                  {"to_slice_id", slice},
                  {"from_ts", time},
                  {"to_ts", time}},
      .make = [](QueryData& data) -> std::unique_ptr<SqlTable> {
        return std::make_unique<FlowTable>(data);
      },
      .row_count = [](const QueryData& data) { return Arrows(data).count(); }};
  return entry;
}

}  // namespace cinderscope
