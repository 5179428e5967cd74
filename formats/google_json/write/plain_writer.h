// Writes any trace as Google JSON, in this program's own form.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/google_json/write/event_text.h"
#include "ingest/part/slice_batches.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope::google_json {

// The events of a piece of a track, each behind a comma.
struct PlainPiece {
  std::string text;
  LossReport losses;
  std::vector<StringId> not_utf8;  // names, each once
  Result<bool> read = true;        // as PartReader::read() says
  void clear() {
    text.clear();
    losses = {};
    not_utf8.clear();
    read = true;
  }
};

class PlainWriter final : private PartVisitor {
 public:
  PlainWriter(PartReader& part, OutputFile& out, LossReport& losses);

  Status write();

 private:
  // Writes a piece, on any thread.
  PlainWriter(PartReader& part, PlainPiece& piece, const std::function<bool()>& pass_on);
  PlainWriter(PartReader& part, LossReport& losses, unsigned jobs);
  void write(const PartPiece& piece);
  void flush_text();
  void begin_track(const PartTrack& track);
  Status write_track(const PartTrack& track);
  Status take(const PartPiece& of, PlainPiece& piece, bool whole);
  void count_not_utf8(StringId name);

  void slice(const PartSlice& slice) override { slices_.add(slice, slice.record); }
  void instant(const PartInstant& instant) override;
  void flow_point(const PartFlowPoint& point) override;
  void counter(const PartCounter& counter) override;
  bool goes_on() const override { return out_ != nullptr ? out_->ok() : going_; }

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
  OutputFile* out_ = nullptr;  // null: a piece is written
  PlainPiece* piece_ = nullptr;
  const std::function<bool()>* pass_on_ = nullptr;
  bool going_ = true;
  LossReport& losses_;
  std::string text_;  // not written yet
  EventText event_;
  bool first_ = true;
  const PartTrack* track_ = nullptr;  // that is being read
  std::string owner_;                 // of its events
  std::string raw_track_name_;
  std::uint64_t first_group_ = 0, last_group_ = 0;        // ids of async slices, over all tracks
  std::unordered_map<std::uint32_t, std::string> names_;  // as JSON
  std::unordered_set<StringId> not_utf8_;                 // names that were counted
  SliceBatches<std::vector<PartText>> slices_;            // of the track
};

}  // namespace cinderscope::google_json
