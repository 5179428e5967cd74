#include "ingest/build/sample_stacks.h"

#include <algorithm>

namespace cinderscope {
namespace {

constexpr std::size_t kDeepestStack = 1024;

// The calls of a sample, outermost first; false if the stack was cut.
bool stack_of(const CallTree& tree, std::uint32_t call, std::vector<std::uint32_t>& stack) {
  stack.clear();
  for (; call != kNoCall && stack.size() < kDeepestStack; call = tree.parent[call]) {
    stack.push_back(call);
  }
  std::reverse(stack.begin(), stack.end());
  return call == kNoCall;
}

}  // namespace

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

void write_samples(const CallTree& tree, std::vector<CallSample>& samples, std::int64_t end_ns,
                   RecordOffset record, TrackWriter& out, SampleBudget& budget,
                   Diagnostics& diagnostics) {
  std::stable_sort(samples.begin(), samples.end(),
                   [](const CallSample& a, const CallSample& b) { return a.time_ns < b.time_ns; });
  std::vector<std::uint32_t> open, wanted;
  const auto close_down_to = [&](std::size_t depth, std::int64_t time_ns) {
    for (; open.size() > depth; open.pop_back()) {
      out.end(time_ns, kNoName, kNoRecord);
    }
  };
  std::int64_t last_ns = end_ns;
  for (const CallSample& sample : samples) {
    last_ns = std::max(end_ns, sample.time_ns);
    if (!open.empty() && open.back() == sample.call) continue;
    if (!stack_of(tree, sample.call, wanted)) {
      diagnostics.count(diagnostic::kDeepStack, static_cast<std::int64_t>(record));
    }
    const auto shared = static_cast<std::size_t>(
        std::mismatch(open.begin(), open.end(), wanted.begin(), wanted.end()).first - open.begin());
    close_down_to(shared, sample.time_ns);
    if (budget.slices_left < wanted.size() - shared) {
      diagnostics.count(diagnostic::kSamplesCut, static_cast<std::int64_t>(record));
      last_ns = sample.time_ns;
      break;
    }
    budget.slices_left -= wanted.size() - shared;
    for (std::size_t i = shared; i < wanted.size(); ++i) {
      out.begin(sample.time_ns, tree.name[wanted[i]], kNoRecord);
      open.push_back(wanted[i]);
    }
  }
  close_down_to(0, last_ns);
}

}  // namespace cinderscope
