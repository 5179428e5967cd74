#include "formats/perfetto/samples/v8_profiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/perfetto_wire.h"
#include "ingest/base/json/json_id.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/profile/v8_nodes.h"

namespace cinderscope::perfetto {
namespace {

constexpr double kMostUs = static_cast<double>(kMaxTimeNs) / 1000;

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
  release(pieces_);
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
      profiles_.try_emplace({owners_->process_of_thread(piece.thread), piece.id}, *out_->strings());
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
  add_v8_nodes(profile.calls, json::member(cpu_profile, "nodes"));
  std::string_view deltas = json::member(data, "timeDeltas");
  if (deltas.empty()) deltas = json::member(cpu_profile, "timeDeltas");
  add_samples(profile, json::member(cpu_profile, "samples"), deltas);
}

void V8Profiles::add_samples(Profile& profile, std::string_view samples, std::string_view deltas) {
  json::MemberReader sample(samples), delta(deltas);
  while (sample.next() && delta.next()) {
    profile.next_us = saturating_sum(profile.next_us, whole_number(delta.value(), 0));
    const std::int64_t us = std::clamp(profile.next_us, -kMaxTimeNs / 1000, kMaxTimeNs / 1000);
    profile.calls.add_sample(saturating_sum(us * 1000, profile.add_ns),
                             json::id_text(sample.value()));
  }
}

void V8Profiles::write(Profile& profile, SampleBudget& budget) {
  Diagnostics& diagnostics = out_->diagnostics();
  out_->count_samples(profile.calls.sample_count());
  V8Profile::Calls made =
      profile.calls.finish(diagnostics, static_cast<std::int64_t>(profile.record));
  if (made.samples.empty()) return;
  made.tree.records = CallTree::Records::none;  // these are no events
  const int number = ++tracks_[profile.thread];
  const std::string name =
      number == 1 ? std::string("CPU profile") : fmt::format("CPU profile {}", number);
  write_samples(made.tree, made.samples, INT64_MIN, profile.record,
                out_->sample_slices(owners_->thread_id(profile.thread), out_->intern(name)), budget,
                diagnostics);
}

}  // namespace cinderscope::perfetto
