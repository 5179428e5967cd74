// Loads a profile of either kind: threads, samples, markers, counters.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/firefox/firefox_source.h"
#include "formats/firefox/markers.h"
#include "formats/firefox/thread_tables.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"

namespace cinderscope::firefox {

// Of the names in a track's name: many tracks may have a long one.
inline constexpr std::size_t kMostTrackBytes = 1000;

class ProfileLoad {
 public:
  ProfileLoad(FirefoxCalls& calls, std::deque<InnerText>& inner_texts, TimelineBuilder& out,
              LoadContext& context)
      : calls_(&calls), inner_texts_(&inner_texts), out_(&out), context_(&context) {}

  // Reads all threads, then writes what they hold. `stream_cut`: a cut is counted already.
  Status load(std::string_view text, bool stream_cut);

  KeptCalls take_calls() { return std::move(kept_calls_); }
  std::vector<KeptMarker> take_markers() { return std::move(kept_markers_); }
  std::vector<std::shared_ptr<const SharedTables>> take_tables() { return std::move(tables_); }
  std::string_view marker_schemas() const { return schemas_; }
  std::vector<std::pair<std::string, std::string>> details() const;

 private:
  struct ReadThread {
    ThreadId id{};
    std::string track_prefix;  // of its markers' tracks
    std::shared_ptr<const SharedTables> tables;
    std::vector<CallSample> samples;
    std::vector<std::int64_t> weights;  // of each sample, if it has any
    MadeMarkers markers;
    std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;  // of all that it holds
    std::int64_t samples_end_ns = INT64_MIN;
  };
  struct InnerProfile {
    std::string_view text;
    bool is_outer = false;
  };

  bool read_processed(const Members& profile);
  bool read_gecko(std::string_view text);
  bool read_gecko_profile(const Members& profile, std::deque<InnerProfile>& inner, bool is_outer);
  void read_meta(const Members& meta);
  void add_thread(const ThreadTables& thread, const ProfileFacts& facts);
  void place_samples(const ThreadTables& tables, const ProfileFacts& facts, ReadThread& out);
  void add_pauses(ProcessId process, std::string_view ranges, std::int64_t offset_ns,
                  const ReadThread& thread);
  void read_counters(std::string_view counters, const ProfileFacts& facts, bool is_gecko,
                     ProcessId process);
  void read_counter_group(ProcessId process, const std::string& name, std::size_t number,
                          std::string_view group, const ProfileFacts& facts, bool is_gecko,
                          bool adds_up);
  bool goes_on(std::string_view at);
  void write(const std::vector<Weight>& weights, std::size_t chosen);
  void write_markers(ReadThread& thread);

  FirefoxCalls* calls_;
  std::deque<InnerText>* inner_texts_;
  TimelineBuilder* out_;
  LoadContext* context_;
  std::string_view text_, schemas_;
  std::vector<ReadThread> threads_;
  std::vector<ThreadId> thread_by_place_;
  std::set<std::pair<std::string, std::string>> ids_, names_;  // with the pid
  std::map<std::uint32_t, std::vector<Pause>> pauses_;         // by process
  KeptCalls kept_calls_;
  std::vector<KeptMarker> kept_markers_;
  std::vector<std::shared_ptr<const SharedTables>> tables_;
  bool is_gecko_ = false, is_size_ = false, cut_ = false;
  bool by_time_ = true;  // else lengths stand for another weight, and only samples are shown
  bool cancelled_ = false;
  std::map<std::uint32_t, std::size_t> series_of_counter_;
  std::string weight_type_, version_, product_;
  std::int64_t outer_start_ns_ = kNoValue;
  std::uint64_t sample_count_ = 0, marker_count_ = 0, allocations_ = 0, counter_count_ = 0;
  std::uint64_t left_over_ = 0, without_time_ = 0, bad_stacks_ = 0, stray_ends_ = 0;
  std::uint64_t unsorted_ = 0;
};

}  // namespace cinderscope::firefox
