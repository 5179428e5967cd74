#include "formats/lincheck/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/lincheck/thread_survey.h"
#include "ingest/base/parallel.h"

namespace cinderscope::lincheck {
namespace {

class Survey final : public NameIndex {
 public:
  Survey(const Lookup& lookup, std::shared_ptr<StringPool> pool, std::uint64_t window_bytes)
      : pool_(std::move(pool)), point_names_(lookup, *pool_) {
    const std::vector<ThreadStream>& streams = lookup.map().threads;
    surveys_.reserve(streams.size());
    for (std::uint32_t i = 0; i < streams.size(); ++i) {
      surveys_.emplace_back(point_names_, i, window_bytes);
      threads_.push_back({pool_->intern(fmt::to_string(streams[i].id))});
      bytes_.push_back(streams[i].size);
      all_bytes_ += streams[i].size;
    }
  }

  bool read(unsigned jobs, const std::atomic<bool>& cancelled, const SurveyProgress& progress) {
    std::atomic<std::uint64_t> done_bytes{0};
    std::atomic<bool> complete{true};
    parallel_for(surveys_.size(), jobs, [&](std::size_t i) {
      const auto add_done = [&](std::uint64_t bytes) {
        done_bytes += bytes;
        progress(share_of(done_bytes));
      };
      if (!surveys_[i].read(cancelled, add_done)) complete = false;
    });
    if (!complete) return false;
    std::unordered_map<StringId, NameCount> sums;
    for (const ThreadSurvey& thread : surveys_) {
      for (const auto& [name, found] : thread.names_met()) {
        NameCount& sum = sums[name];
        sum.name = name;
        sum.slices += found.slices;
        sum.instants += found.instants;
      }
    }
    for (const auto& [name, sum] : sums) names_.push_back(sum);
    std::ranges::sort(names_, {}, &NameCount::name);
    return true;
  }

  std::optional<Place> nearest(const NameSet& wanted, std::int64_t from_ns, int direction,
                               const std::atomic<bool>& cancelled) const override {
    std::optional<Place> best;
    for (std::size_t i = 0; i < surveys_.size() && !cancelled; ++i) {
      surveys_[i].nearest(wanted, from_ns, direction, cancelled, best);
    }
    return cancelled ? std::nullopt : best;
  }

  bool each(const Wanted& wanted, const std::atomic<bool>& cancelled, const CallSink& take,
            const SurveyProgress& progress) const override {
    std::uint64_t done_bytes = 0, before = 0;
    for (std::size_t i = 0; i < surveys_.size(); ++i) {
      const auto add_done = [&](std::uint64_t bytes) { progress(share_of(done_bytes += bytes)); };
      const bool is_wanted = i < wanted.threads.size() && wanted.threads[i];
      if (is_wanted && !surveys_[i].each(wanted, cancelled, take, add_done)) return false;
      done_bytes = before += bytes_[i];
      progress(share_of(done_bytes));
    }
    return !cancelled;
  }

 private:
  double share_of(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(all_bytes_, 1));
  }

  std::shared_ptr<StringPool> pool_;
  PointNames point_names_;
  std::vector<ThreadSurvey> surveys_;  // by thread
  std::vector<std::uint64_t> bytes_;   // of each of them
  std::uint64_t all_bytes_ = 0;
};

}  // namespace

std::shared_ptr<const NameIndex> survey_trace(const Lookup& lookup,
                                              const std::shared_ptr<StringPool>& names,
                                              unsigned jobs, std::uint64_t window_bytes,
                                              const std::atomic<bool>& cancelled,
                                              const SurveyProgress& progress) {
  auto survey = std::make_shared<Survey>(lookup, names, window_bytes);
  if (!survey->read(jobs, cancelled, progress)) return nullptr;
  return survey;
}

}  // namespace cinderscope::lincheck
