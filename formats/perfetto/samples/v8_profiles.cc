#include "formats/perfetto/samples/v8_profiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/perfetto_wire.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::int64_t kNoId = INT64_MIN;
constexpr double kMostUs = static_cast<double>(kMaxTimeNs / 1000);

std::int64_t whole_number(std::string_view value, std::int64_t otherwise) {
  const std::optional<double> number = json::number_of(json::trim_blanks(value));
  if (!number || !(*number > -kMostUs && *number < kMostUs)) return otherwise;
  return static_cast<std::int64_t>(*number);
}

}  // namespace

void V8Profiles::add(std::vector<ProfilePiece> pieces) {
  for (ProfilePiece& piece : pieces) pieces_.push_back(std::move(piece));
}

void V8Profiles::finish(SampleBudget& budget) {
  std::sort(pieces_.begin(), pieces_.end(), [](const ProfilePiece& a, const ProfilePiece& b) {
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.record < b.record;
  });
  for (const ProfilePiece& piece : pieces_) take(piece);
  pieces_ = {};
  std::vector<Profile*> order;
  for (auto& [key, profile] : profiles_) order.push_back(&profile);
  std::sort(order.begin(), order.end(),
            [](const Profile* a, const Profile* b) { return a->record < b->record; });
  for (Profile* profile : order) write(*profile, budget);
  profiles_.clear();
}

void V8Profiles::take(const ProfilePiece& piece) {
  const std::string_view wrapped = json::member(piece.data, "data");
  const std::string_view data = wrapped.empty() ? std::string_view(piece.data) : wrapped;
  const auto [found, fresh] =
      profiles_.try_emplace({owners_->process_of_thread(piece.thread), piece.id});
  Profile& profile = found->second;
  const std::string_view start = json::member(data, "startTime");
  if (fresh) {
    profile.thread = piece.thread;
    profile.record = piece.record;
    profile.add_ns = piece.monotonic_add_ns;
    profile.next_us = saturating_difference(piece.time_ns, profile.add_ns) / 1000;
  }
  if (!start.empty()) profile.next_us = whole_number(start, profile.next_us);
  const std::string_view cpu_profile = json::member(data, "cpuProfile");
  add_nodes(profile, json::member(cpu_profile, "nodes"));
  std::string_view deltas = json::member(data, "timeDeltas");
  if (deltas.empty()) deltas = json::member(cpu_profile, "timeDeltas");
  add_samples(profile, json::member(cpu_profile, "samples"), deltas);
}

void V8Profiles::add_nodes(Profile& profile, std::string_view nodes) {
  json::MemberReader reader(nodes);
  while (reader.next()) {
    const std::string_view node = reader.value();
    if (!json::is_object(node)) continue;
    const std::int64_t id = whole_number(json::member(node, "id"), kNoId);
    const auto [at, fresh] =
        profile.by_id.try_emplace(id, static_cast<std::uint32_t>(profile.tree.name.size()));
    if (!fresh) continue;
    std::string name = json::text_of(json::member(json::member(node, "callFrame"), "functionName"));
    if (name.empty()) name = "(anonymous)";
    profile.tree.name.push_back(out_->intern(name));
    const std::string_view parent = json::member(node, "parent");
    profile.parent_id.push_back(parent.empty() ? kNoId : whole_number(parent, kNoId));
    profile.is_root.push_back(name == "(root)");
    profile.is_collector.push_back(name == "(garbage collector)");
  }
}

void V8Profiles::add_samples(Profile& profile, std::string_view samples, std::string_view deltas) {
  json::MemberReader sample(samples), delta(deltas);
  while (sample.next() && delta.next()) {
    profile.next_us = saturating_sum(profile.next_us, whole_number(delta.value(), 0));
    const std::int64_t us = std::clamp(profile.next_us, -kMaxTimeNs / 1000, kMaxTimeNs / 1000);
    profile.samples.emplace_back(saturating_sum(us * 1000, profile.add_ns),
                                 whole_number(sample.value(), kNoId));
  }
}

void V8Profiles::write(Profile& profile, SampleBudget& budget) {
  CallTree& tree = profile.tree;
  Diagnostics& diagnostics = out_->diagnostics();
  const auto place = static_cast<std::int64_t>(profile.record);
  tree.parent.assign(tree.name.size(), kNoCall);
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < tree.name.size(); ++i) {
    if (profile.parent_id[i] == kNoId) continue;
    const auto parent = profile.by_id.find(profile.parent_id[i]);
    if (parent == profile.by_id.end()) {
      ++missing;
    } else if (!profile.is_root[parent->second]) {
      tree.parent[i] = parent->second;
    }
  }
  diagnostics.count(diagnostic::kMissingCaller, place, {}, missing);
  diagnostics.count(diagnostic::kStackCycle, place, {}, tree.cut_cycles());
  std::stable_sort(profile.samples.begin(), profile.samples.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  // The collector runs on top of what ran before it.
  const std::size_t call_count = tree.name.size();
  std::unordered_map<std::uint32_t, std::uint32_t> collector_on;
  std::vector<CallSample> samples;
  std::uint32_t below = kNoCall;
  std::uint64_t unknown = 0;
  for (const auto& [time_ns, id] : profile.samples) {
    const auto known = profile.by_id.find(id);
    if (known == profile.by_id.end()) {
      ++unknown;
      continue;
    }
    std::uint32_t call = known->second;
    if (profile.is_root[call]) {
      call = kNoCall;
    } else if (call < call_count && profile.is_collector[call] && below != kNoCall) {
      const auto [at, fresh] =
          collector_on.try_emplace(below, static_cast<std::uint32_t>(tree.name.size()));
      if (fresh) {
        tree.name.push_back(tree.name[call]);
        tree.parent.push_back(below);
      }
      samples.push_back({time_ns, at->second});
      continue;
    }
    below = call;
    samples.push_back({time_ns, call});
  }
  diagnostics.count(diagnostic::kUnknownCall, place, {}, unknown);
  out_->count_samples(profile.samples.size());
  if (samples.empty()) return;
  tree.find_depths();
  const int number = ++tracks_[profile.thread];
  const std::string name =
      number == 1 ? std::string("CPU profile") : fmt::format("CPU profile {}", number);
  write_samples(tree, samples, INT64_MIN, profile.record,
                out_->sample_slices(owners_->thread_id(profile.thread), out_->intern(name)), budget,
                diagnostics);
}

}  // namespace cinderscope::perfetto
