// Writes any trace as Google JSON, in this program's own form.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/write/event_text.h"
#include "ingest/part/slice_batches.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope::google_json {

class PlainWriter final : private PartVisitor {
 public:
  PlainWriter(PartReader& part, OutputFile& out, LossReport& losses);

  Status write();

 private:
  void slice(const PartSlice& slice) override { slices_.add(slice, slice.record); }
  void instant(const PartInstant& instant) override;
  void flow_point(const PartFlowPoint& point) override;
  void counter(const PartCounter& counter) override;
  bool goes_on() const override { return out_.ok(); }

  void take(const PartSlice& slice, const PartText& text);
  void write_head();
  void write_metadata();
  void metadata(std::string_view name, std::string_view key, std::string_view value);
  void write_pauses();
  void begin_event();
  void async_slice(const PartSlice& slice, std::string_view raw_name, const PartText& text);
  void lifetime(const PartSlice& slice);
  void cut_mark(const PartSlice& slice);
  const std::string& raw_name(StringId id, std::string_view name);
  std::string owner_of(const PartTrack& track) const;
  std::string id_of(std::uint64_t group);

  PartReader& part_;
  OutputFile& out_;
  LossReport& losses_;
  std::string text_;  // not written yet
  EventText event_;
  bool first_ = true;
  const PartTrack* track_ = nullptr;  // that is being read
  std::string owner_;                 // of its events
  std::string raw_track_name_;
  std::uint64_t first_group_ = 0, last_group_ = 0;        // ids of async slices, over all tracks
  std::unordered_map<std::uint32_t, std::string> names_;  // as JSON
  SliceBatches<std::vector<PartText>> slices_;            // of the track
};

}  // namespace cinderscope::google_json
