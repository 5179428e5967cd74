#include "formats/perfetto/samples/stack_samples.h"

#include <algorithm>

namespace cinderscope::perfetto {

std::uint32_t StackSamples::call_of(const std::vector<StringId>& frames) {
  std::uint32_t call = kNoCall;
  for (const StringId name : frames) {
    const auto [found, fresh] =
        children_.try_emplace({call, name}, static_cast<std::uint32_t>(tree_.name.size()));
    if (fresh) {
      tree_.name.push_back(name);
      tree_.parent.push_back(call);
    }
    call = found->second;
  }
  return call;
}

void StackSamples::add(std::vector<StackSample> samples,
                       const std::vector<std::vector<StringId>>& stacks) {
  std::vector<std::uint32_t> calls;
  for (const std::vector<StringId>& frames : stacks) calls.push_back(call_of(frames));
  for (const StackSample& sample : samples) {
    by_thread_[sample.thread].push_back({sample.time_ns, calls[sample.stack]});
    first_record_.try_emplace(sample.thread, sample.record);
    ++count_;
  }
}

void StackSamples::finish(SampleBudget& budget, Owners& owners, TimelineBuilder& out) {
  out.count_samples(count_);
  tree_.find_depths();
  for (auto& [thread, samples] : by_thread_) {
    write_samples(tree_, samples, INT64_MIN, first_record_[thread],
                  out.sample_slices(owners.thread_id(thread), out.intern("samples")), budget,
                  out.diagnostics());
  }
  by_thread_.clear();
}

}  // namespace cinderscope::perfetto
