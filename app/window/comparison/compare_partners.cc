// What is of the one side on the other: names, tracks and calls.
#include <algorithm>
#include <utility>

#include "app/session/session.h"
#include "app/window/comparison/compare_page.h"
#include "ingest/compare/compared_tree.h"

namespace cinderscope {

std::vector<TrackPair> ComparePage::track_pairs() const {
  std::vector<TrackPair> tracks;
  const OfSides<ShownRun>& runs = answers.shown_runs();
  for (const ThreadPair& pair : answers.thread_pairs()) {
    if (!pair.a || !pair.b) continue;
    const TrackPair both{runs[side_a].measured->threads[*pair.a].track,
                         runs[side_b].measured->threads[*pair.b].track};
    if (both.a != kNoTrack && both.b != kNoTrack) tracks.push_back(both);
  }
  return tracks;
}

TrackId ComparePage::partner_of(Side side, TrackId track) const {
  for (const TrackPair& pair : track_pairs()) {
    if ((side == side_a ? pair.a : pair.b) == track) return side == side_a ? pair.b : pair.a;
  }
  return kNoTrack;
}

void ComparePage::ask_pairs(PairsQuestion& pairs, const std::string& name) {
  const auto compared = compared_name(name);
  if (!compared) return;
  const OfSides<ShownRun>& runs = answers.shown_runs();
  const PairsKey key{name, pair_by_, answers.names_version(), session(side_a).version(),
                     session(side_b).version()};
  const bool same_pairs =
      pairs.asked() && pairs.asked()->name == name && pairs.asked()->by == pair_by_;
  if (!pairs.is_due(key, same_pairs)) return;
  pairs.ask(
      key,
      [a = runs[side_a].slices, b = runs[side_b].slices,
       names = OfSides<std::vector<StringId>>{strings_of(side_a, *compared),
                                              strings_of(side_b, *compared)},
       tracks = track_pairs(),
       parts = OfSides<Scope>{runs[side_a].question.query.scope, runs[side_b].question.query.scope},
       by = PairedBy{pair_by_, {session(side_a).shared_source(), session(side_b).shared_source()}}](
          const BackgroundQuestion<Pairs>& asked) {
        return std::make_shared<const PairedCalls>(
            paired_calls(*a, *b, names, tracks, asked.cancelled, by, parts));
      });
}

void ComparePage::know_names() const {
  if (names_version_ == answers.names_version()) return;
  names_version_ = answers.names_version();
  by_text_.clear();
  const ComparedSides& sides = *answers.sides();
  for (std::uint32_t i = 0; i < sides.names.names.size(); ++i) {
    by_text_.emplace(sides.names.names[i].text, i);
  }
  for (const Side side : {side_a, side_b}) {
    compared_of_[side].clear();
    for (const ComparedRun& run : sides.runs[side]) {
      if (run.run == answers.shown_runs()[side].measured) {
        compared_of_[side] = compared_of_strings(run);
      }
    }
  }
}

std::optional<std::uint32_t> ComparePage::compared_name(std::string_view compared) const {
  if (answers.sides() == nullptr) return std::nullopt;
  know_names();
  const auto found = by_text_.find(compared);
  if (found == by_text_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> ComparePage::compared_name_of(Side side, StringId name) const {
  if (answers.sides() == nullptr) return std::nullopt;
  know_names();
  if (index(name) >= compared_of_[side].size()) return std::nullopt;
  const std::uint32_t compared = compared_of_[side][index(name)];
  if (compared >= answers.sides()->names.names.size()) return std::nullopt;
  return compared;
}

std::vector<StringId> ComparePage::strings_of(Side side, std::uint32_t compared) const {
  std::vector<StringId> strings;
  if (answers.sides() == nullptr) return strings;
  const ComparedSides& sides = *answers.sides();
  const StringPool& pool = *session(side).timeline().strings;
  for (const std::uint32_t name : sides.names.names[compared].names[side]) {
    if (const auto id = pool.find(sides.side_names[side][name])) strings.push_back(*id);
  }
  return strings;
}

void ComparePage::select_name(std::string_view compared) {
  choice.selected = compared;
}

const PairedCalls* ComparePage::banded_calls() const {
  const bool lined = line_up_.how == LineUpHow::call;
  const PairsQuestion& pairs = lined ? lined_ : selected_;
  if (pairs.answer() == nullptr || !pairs.answered()) return nullptr;
  if (!lined && (choice.selected.empty() || pairs.answered()->name != choice.selected)) {
    const bool same = lined_.answer() != nullptr && lined_.answered()->name == choice.selected;
    return same && !choice.selected.empty() ? lined_.answer()->get() : nullptr;
  }
  return pairs.answer()->get();
}

void ComparePage::select_partner() {
  const bool lined = line_up_.how == LineUpHow::call && line_up_.name == choice.selected;
  const PairsQuestion& pairs = lined ? lined_ : selected_;
  if (pairs.busy() || answers.sides() == nullptr) return;
  const Side side = *partner_due_;
  partner_due_.reset();
  SliceRef partner;
  if (pairs.answer() != nullptr && pairs.answered()->name == choice.selected) {
    const PairedCalls& calls = **pairs.answer();
    if (const auto pair = calls.pair_of(side, seen_selected_[side])) {
      partner = side == side_a ? calls.pairs[*pair].b.slice : calls.pairs[*pair].a.slice;
    }
  }
  session(other(side)).state().selected = partner;
  session(other(side)).state().selected_instant = {};
  session(other(side)).state().selected_counter = {};
  seen_selected_[other(side)] = partner;
}

}  // namespace cinderscope
