#include "formats/perfetto/samples/stack_samples.h"

#include <utility>

namespace cinderscope::perfetto {

std::uint32_t StackSamples::call_of(const std::vector<StringId>& frames) {
  std::uint32_t call = kNoCall;
  for (const StringId name : frames) {
    const auto [function, fresh] =
        functions_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (fresh) names_.push_back(name);
    call = calls_.call(call, function->second);
  }
  return call;
}

void StackSamples::add(const std::vector<StackSample>& samples,
                       const std::vector<const std::vector<StringId>*>& stacks) {
  std::vector<std::uint32_t> calls;
  for (const std::vector<StringId>* frames : stacks) calls.push_back(call_of(*frames));
  for (const StackSample& sample : samples) {
    by_thread_[sample.thread].push_back({sample.time_ns, calls[sample.stack]});
    first_record_.try_emplace(sample.thread, sample.record);
    ++count_;
  }
}

void StackSamples::finish(SampleBudget& budget, Owners& owners, TimelineBuilder& out) {
  out.count_samples(count_);
  CallTree tree = std::move(calls_).tree(names_);
  tree.records = CallTree::Records::none;  // these are no events
  for (auto& [thread, samples] : by_thread_) {
    write_samples(tree, samples, INT64_MIN, first_record_[thread],
                  out.sample_slices(owners.thread_id(thread), out.intern("samples")), budget,
                  out.diagnostics());
  }
  by_thread_.clear();
}

}  // namespace cinderscope::perfetto
