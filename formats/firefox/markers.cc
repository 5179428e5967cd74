#include "formats/firefox/markers.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::firefox {
namespace {

class MarkerMaker {
 public:
  MarkerMaker(int time_power, std::int64_t offset_ns)
      : time_power_(time_power), offset_ns_(offset_ns) {}

  void add(RawMarker marker) {
    if (marker.phase == kNoPhase) find_phase(marker);
    switch (marker.phase) {
      case 1:
        return add_interval(marker);
      case 2:
        return begin(marker);
      case 3:
        return end(marker);
      default:
        return add_instant(marker);
    }
  }
  MadeMarkers take() { return std::move(out_); }

 private:
  bool has_time(std::int64_t time_ns) {
    if (time_ns == kNoValue) {
      ++out_.without_time;
      return false;
    }
    out_.begin_ns = std::min(out_.begin_ns, time_ns);
    out_.end_ns = std::max(out_.end_ns, time_ns);
    return true;
  }
  std::int64_t time_in(const Members& data, std::string_view key) const {
    const std::int64_t time = read_number(data.get(key), time_power_);
    return time == kNoValue ? time : saturating_sum(time, offset_ns_);
  }

  // Before there were phases the data told.
  void find_phase(RawMarker& marker) const {
    marker.phase = 0;
    if (!json::is_object(marker.data)) return;
    const Members data(marker.data);
    const std::string type = json::text_of(data.get("type"));
    if (type == "tracing") {
      const std::string interval = json::text_of(data.get("interval"));
      if (interval == "start") marker.phase = 2;
      if (interval == "end") {
        marker.phase = 3;
        marker.end_ns = marker.start_ns;
      }
      return;
    }
    const std::int64_t start_ns = time_in(data, "startTime"), end_ns = time_in(data, "endTime");
    if (start_ns == kNoValue || end_ns == kNoValue) return;
    if (start_ns == end_ns && type != "DOMEvent") return;
    marker.phase = 1;
    marker.start_ns = start_ns;
    marker.end_ns = end_ns;
  }

  void add_instant(const RawMarker& marker) {
    if (!has_time(marker.start_ns)) return;
    out_.instants.push_back({marker.name, marker.start_ns, marker.data});
  }
  void add_interval(const RawMarker& marker) {
    if (marker.start_ns == kNoValue || marker.end_ns == kNoValue) {
      ++out_.without_time;
      return;
    }
    has_time(marker.start_ns);
    has_time(marker.end_ns);
    if (json::text_of(json::member(marker.data, "type")) == "Network" && joins_load(marker)) return;
    out_.slices.push_back({.name = marker.name,
                           .begin_ns = marker.start_ns,
                           .end_ns = marker.end_ns,
                           .data = marker.data});
  }
  // A load's start and what comes later of it are one slice.
  bool joins_load(const RawMarker& marker) {
    const std::string id = json::text_of(json::member(marker.data, "id"));
    const bool starts = json::text_of(json::member(marker.data, "status")) == "STATUS_START";
    if (id.empty()) return false;
    if (const auto open = loads_.find(id); open != loads_.end()) {
      MarkerSlice& slice = out_.slices[open->second];
      slice.end_ns = marker.end_ns;
      slice.end_data = marker.data;
      slice.has_end = true;
      loads_.erase(open);
      return true;
    }
    if (!starts) return false;
    loads_[id] = out_.slices.size();
    out_.slices.push_back({.name = marker.name,
                           .begin_ns = marker.start_ns,
                           .end_ns = marker.end_ns,
                           .has_end = false,
                           .data = marker.data});
    return true;
  }
  void begin(const RawMarker& marker) {
    if (!has_time(marker.start_ns)) return;
    open_[marker.name].push_back(out_.slices.size());
    out_.slices.push_back({.name = marker.name,
                           .begin_ns = marker.start_ns,
                           .end_ns = marker.start_ns,
                           .has_end = false,
                           .data = marker.data});
  }
  void end(const RawMarker& marker) {
    if (!has_time(marker.end_ns)) return;
    const auto open = open_.find(marker.name);
    if (open == open_.end() || open->second.empty()) {
      ++out_.stray_ends;
      out_.slices.push_back({.name = marker.name,
                             .begin_ns = marker.end_ns,
                             .end_ns = marker.end_ns,
                             .has_begin = false,
                             .data = marker.data});
      return;
    }
    MarkerSlice& slice = out_.slices[open->second.back()];
    open->second.pop_back();
    slice.end_ns = marker.end_ns;
    slice.end_data = marker.data;
    slice.has_end = true;
  }

  int time_power_;
  std::int64_t offset_ns_;
  MadeMarkers out_;
  std::unordered_map<std::int64_t, std::vector<std::size_t>> open_;  // by name
  std::unordered_map<std::string, std::size_t> loads_;               // by id
};

}  // namespace

MadeMarkers make_markers(const std::vector<RawMarker>& markers, int time_power,
                         std::int64_t offset_ns) {
  MarkerMaker maker(time_power, offset_ns);
  for (const RawMarker& marker : markers) maker.add(marker);
  return maker.take();
}

}  // namespace cinderscope::firefox
