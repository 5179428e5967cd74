// Sentences above the lanes of a comparison: what of it is to be known before its numbers are used.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "ingest/base/ascii.h"
#include "render/text/file_name.h"
#include "render/text/size_text.h"
#include "render/text/time_text.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

namespace {

// Of all that was loaded, whenever.
std::uint64_t loaded_calls(const Timeline& timeline) {
  std::uint64_t count = 0;
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::thread) continue;
    for (const auto& block : track.blocks) {
      if (block == nullptr) continue;
      for (const SliceRow& row : block->rows) count += row.count();
    }
  }
  return count;
}

// Runs that were not left out by hand.
std::string left_out_text(const CompareAnswers& answers, Side side) {
  if (answers.sides() == nullptr || answers.sides()->left_out[side].empty()) return {};
  const std::vector<LeftOutRun>& runs = answers.sides()->left_out[side];
  const char* name = side == side_a ? "A" : "B";
  if (runs.size() > 1) {
    return fmt::format("{} runs of {} could not be read and are left out: see Report.",
                       count_text(runs.size()), name);
  }
  return fmt::format("{} is left out of {}: {}", shown_file_name(runs.front().path), name,
                     runs.front().error);
}

std::string read_all_label(const ComparePage& page) {
  std::uint64_t bytes = 0;
  for (const Side side : {side_a, side_b}) {
    if (page.unread_text(side).empty()) continue;
    const auto needed = page.bytes_to_read_all(side);
    if (!needed) return "Read all";
    bytes += *needed;
  }
  return fmt::format("Read all (about {} of memory)", size_text(bytes));
}

}  // namespace

const ComparePage::ReadSoFar& ComparePage::read_so_far(Side side) const {
  ReadSoFar& known = read_so_far_[side];
  const Session& session = this->session(side);
  if (known.version != session.version()) {
    const KeptBytes kept = kept_bytes(session.timeline());
    known = {session.version(), loaded_calls(session.timeline()), kept.columns + kept.lod};
  }
  return known;
}

std::string unread_sentence(Side side, std::uint64_t read, std::optional<std::uint64_t> all,
                            std::string_view progress) {
  const char* name = side == side_a ? "A" : "B";
  if (!all || *all == 0) {
    return fmt::format("{} of {}'s calls were read{}; only these are compared.", count_text(read),
                       name, progress.empty() ? "" : fmt::format(" ({})", progress));
  }
  if (read >= *all) return {};  // piece by piece all of it has come
  const double percent = 100 * static_cast<double>(read) / static_cast<double>(*all);
  return fmt::format("{} of {}'s calls were read; only these are compared.",
                     percent < 1 ? "Less than 1 %" : fmt::format("{:.0f} %", std::floor(percent)),
                     name);
}

std::string ComparePage::unread_text(Side side) const {
  const Session& session = this->session(side);
  if (session.loading() || !has_calls_on_disk(session.timeline())) return {};
  const DiskSearch& disk = lane(side).disk;
  return unread_sentence(side, read_so_far(side).calls, disk.all_calls(), disk.progress_text());
}

std::optional<std::uint64_t> ComparePage::bytes_to_read_all(Side side) const {
  const auto all = lane(side).disk.all_calls();
  const ReadSoFar& read = read_so_far(side);
  if (!all || read.calls == 0) return std::nullopt;
  const double of_each = static_cast<double>(read.bytes) / static_cast<double>(read.calls);
  return static_cast<std::uint64_t>(of_each * static_cast<double>(*all));
}

std::string without_numbers(std::string_view note) {
  std::string text(note);
  std::erase_if(text, is_digit);
  return text;
}

std::vector<std::string> CompareController::notes(const ComparePage& page) const {
  std::vector<std::string> notes;
  const CompareAnswers& answers = page.answers;
  if (!answers.problem().empty()) notes.push_back(answers.problem());
  for (const Side side : {side_a, side_b}) {
    if (page.session(side).loading() && !page.session(side).reading_on()) {
      const int percent = static_cast<int>(page.session(side).load_fraction() * 100);
      notes.push_back(fmt::format("{} is still being read{}: numbers are of what is there so far.",
                                  side == side_a ? "A" : "B",
                                  percent > 0 ? fmt::format(" ({} %)", percent) : ""));
    }
  }
  for (const Side side : {side_a, side_b}) {
    if (std::string text = page.unread_text(side); !text.empty()) notes.push_back(std::move(text));
  }
  for (const Side side : {side_a, side_b}) {
    if (std::string text = left_out_text(answers, side); !text.empty()) {
      notes.push_back(std::move(text));
    }
  }
  if (answers.comparison() != nullptr) {
    for (std::string& text : warning_sentences(*answers.sides(), *answers.comparison())) {
      notes.push_back(std::move(text));
    }
    if (answers.options().scale == Scale::share) {
      notes.emplace_back("Shares add up to 100 %: if one name takes more, others must take less.");
    }
  }
  if (std::string warning = page.pairs_warning(); !warning.empty()) {
    notes.push_back(std::move(warning));
  }
  return notes;
}

Rect CompareController::draw_notes(ComparePage& page, const Rect& area, Actions& actions) {
  constexpr std::size_t kMostNotes = 3;
  Rect left = area;
  const float height = std::round(app_.theme().px(kNoticePx));
  std::vector<std::string> texts = notes(page);
  if (texts.size() > kMostNotes) texts.resize(kMostNotes);
  const ComparisonWarnings none;
  const ComparisonWarnings& warnings =
      page.answers.sides() == nullptr ? none : page.answers.sides()->warnings;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (page.choice.dismissed.contains(without_numbers(texts[i]))) continue;
    std::vector<NoticeAnswer> answers;
    if (warnings.unit_factor && texts[i].find("unit") != std::string::npos) {
      answers.push_back({"Divide B's times", {"compare-unit", ""}});
    } else if (texts[i].ends_with("Compare shares?")) {
      answers.push_back({"Compare shares", {"compare-scale", "share"}});
    } else if (warnings.calls_factor && warnings.per &&
               texts[i].find("times as many calls") != std::string::npos) {
      const std::string& name = page.answers.sides()->names.names[*warnings.per].text;
      answers.push_back({"Compare per call", {"compare-scale", "per " + name}});
    }
    if (texts[i] == page.unread_text(side_a) || texts[i] == page.unread_text(side_b)) {
      answers.push_back({read_all_label(page), {"compare-read-all", ""}});
    }
    if (texts[i].ends_with("pairs may slip")) {
      answers.push_back({"Pair by argument…", {"pair-by", ""}});
    }
    answers.push_back({"Dismiss", {"dismiss-comparison-note", texts[i]}});
    ImGui::PushID(static_cast<int>(i));
    draw_notice({.theme = app_.theme(),
                 .area = {left.x, left.y, left.width, height},
                 .text = texts[i],
                 .answers = std::move(answers)},
                actions);
    ImGui::PopID();
    left.y += height;
    left.height = std::max(0.0F, left.height - height);
  }
  return left;
}

}  // namespace cinderscope
