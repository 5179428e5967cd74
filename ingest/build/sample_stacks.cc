#include "ingest/build/sample_stacks.h"

#include <algorithm>

namespace cinderscope {
std::uint64_t CallTree::cut_cycles() {
  // 0: not seen, otherwise the walk that came by. A walk that meets itself goes in a circle.
  std::vector<std::uint32_t> seen(parent.size(), 0);
  std::uint64_t cut = 0;
  for (std::uint32_t i = 0; i < parent.size(); ++i) {
    std::uint32_t at = i;
    while (seen[at] == 0) {
      seen[at] = i + 1;
      std::uint32_t& up = parent[at];
      if (up == kNoCall) break;
      if (up >= parent.size() || seen[up] == i + 1) {
        up = kNoCall;
        ++cut;
        break;
      }
      at = up;
    }
  }
  return cut;
}

void CallTree::find_depths() {
  depth.assign(parent.size(), 0);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t i = 0; i < parent.size(); ++i) {
    for (std::uint32_t at = i; at != kNoCall && depth[at] == 0; at = parent[at])
      chain.push_back(at);
    for (; !chain.empty(); chain.pop_back()) {
      const std::uint32_t up = parent[chain.back()];
      depth[chain.back()] = up == kNoCall ? 1 : depth[up] + 1;
    }
  }
}

std::uint64_t sort_samples(std::vector<CallSample>& samples) {
  std::uint64_t earlier = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    earlier += samples[i].time_ns < samples[i - 1].time_ns ? 1 : 0;
  }
  if (earlier > 0) {
    std::stable_sort(samples.begin(), samples.end(), [](const CallSample& a, const CallSample& b) {
      return a.time_ns < b.time_ns;
    });
  }
  return earlier;
}

void number_samples(std::vector<CallSample>& samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].time_ns = static_cast<std::int64_t>(i);
  }
}

void write_samples(const CallTree& tree, std::vector<CallSample>& samples, std::int64_t end_ns,
                   RecordOffset record, TrackWriter& out, SampleBudget& budget,
                   Diagnostics& diagnostics) {
  sort_samples(samples);
  const auto depth_of = [&](std::uint32_t call) { return call == kNoCall ? 0 : tree.depth[call]; };
  const auto end_innermost = [&](std::uint32_t& call, std::int64_t time_ns) {
    out.end(time_ns, kNoName, kNoRecord);
    call = tree.parent[call];
  };
  std::vector<std::uint32_t> begun;  // innermost first
  std::uint32_t open = kNoCall;      // the innermost call that is open
  std::int64_t last_ns = end_ns;
  for (const CallSample& sample : samples) {
    last_ns = std::max(end_ns, sample.time_ns);
    // From both ends up to where they meet: what is shared goes on, however deep it is.
    begun.clear();
    std::uint32_t call = sample.call;
    while (depth_of(open) > depth_of(call)) end_innermost(open, sample.time_ns);
    for (; depth_of(call) > depth_of(open); call = tree.parent[call]) begun.push_back(call);
    for (; call != open; call = tree.parent[call]) {
      end_innermost(open, sample.time_ns);
      begun.push_back(call);
    }
    if (budget.slices_left < begun.size()) {
      diagnostics.count(diagnostic::kSamplesCut, static_cast<std::int64_t>(record));
      last_ns = sample.time_ns;
      break;
    }
    budget.slices_left -= begun.size();
    for (auto at = begun.rbegin(); at != begun.rend(); ++at) {
      out.begin(sample.time_ns, tree.name[*at], tree.record_of(*at));
      open = *at;
    }
  }
  while (open != kNoCall) end_innermost(open, last_ns);
}

}  // namespace cinderscope
