// A comparison in the window: two traces of other tabs, a lane for each, and what is known of both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/questions/latest.h"
#include "app/window/comparison/compare_answers.h"
#include "app/window/comparison/line_up.h"
#include "app/window/comparison/paired_calls.h"
#include "app/window/status_message.h"
#include "ingest/compare/compared_names.h"
#include "render/base/actions.h"
#include "render/tables/compared_table.h"
#include "render/views/compare/flame.h"

namespace cinderscope {

struct Tab;
class Session;

// Calls of a name that numbers name.
enum class NamedCall : std::uint8_t { longest, p99, median, shortest };

// What the flame graph shows.
struct FlameChoice {
  TreeWidth width = TreeWidth::mean;
  ComparedDirection direction = ComparedDirection::callees;
  CallWeight weight = CallWeight::time;
  std::string function;  // a compared name, of the third direction
  bool by_self = false;
};

// What the lower panel and the link strip share.
struct CompareChoice {
  std::string selected;                     // a compared name; empty: none
  ComparedOrder order;                      // of the table
  std::vector<ComparedField> more_fields;   // columns besides the usual ones
  std::vector<ComparedField> fewer_fields;  // usual ones that are not shown
  bool side_by_side = true;
  FlameChoice flame;
  std::set<std::string> dismissed;  // sentences above the lanes
};

// UI thread only. Belongs to the tab of its first lane (Tab::comparison); the second is its own.
class ComparePage {
 public:
  // Views of the traces of these two, which outlive it but for those that are its own: they stand
  // for saved sides.
  ComparePage(Session& a, Session& b, OfSides<std::unique_ptr<Session>> own = {});
  ~ComparePage();
  ComparePage(const ComparePage&) = delete;
  ComparePage& operator=(const ComparePage&) = delete;

  // To be called once, by whoever makes the tab of its first lane.
  std::unique_ptr<Session> first_session() { return std::move(first_); }
  void set_first(Tab& tab) { a_ = &tab; }

  Tab& lane(Side side) { return side == side_a ? *a_ : *b_; }
  const Tab& lane(Side side) const { return side == side_a ? *a_ : *b_; }
  Session& session(Side side);
  const Session& session(Side side) const;
  Side used() const { return used_; }
  TimeAxis axis() const;  // of what is compared
  Tab& used_lane() { return lane(acting_.value_or(used_)); }
  // What follows is about that lane; with `leads` the other one follows its view from now on. True
  // if that is another one than before.
  bool act_on(Side side, bool leads);
  bool shows(const Session& trace) const;  // one of its lanes does
  std::string title() const;
  // Again: threads and marks as the tabs of both traces have them now.
  void show_as_tabs();
  bool held() const;  // a trace of it is not read yet, and will not be before it is shown

  // A and B change places, and with them the tabs: the new first one is `first`.
  void swap(std::unique_ptr<Tab>& first);

  CompareAnswers answers;
  CompareChoice choice;
  // Both lanes show the same place: to be called before a frame is drawn, and after its actions.
  void follow();
  // Takes what was found in the background; true: there is news.
  bool poll();
  bool busy() const;
  std::string take_message() { return std::exchange(message_, {}); }  // for the user, once

  const LineUp& line_up() const { return line_up_; }
  // An Error says why it cannot be.
  Status line_up_starts();
  Status line_up_clock();
  Status line_up_mark(std::string_view note);
  // Once its calls are known; K from 1.
  Status line_up_call(std::string_view name, std::uint64_t k);
  void line_up_hand(std::int64_t shift_ns);
  void line_up_hand(std::int64_t a_ns, std::int64_t b_ns);  // these two below each other
  // Moves the lane used last against the other: the edge of a call next to where it is held snaps
  // to edges there.
  void drag_used_lane(const ShiftLane& drag);
  Status step_pair(int by);
  // Calls with equal values of this argument are pairs; empty: those of equal number.
  void set_pair_by(std::string_view key);
  const std::string& pair_by() const { return pair_by_; }
  void set_stretch(bool on);
  std::string line_up_text() const;   // "starts", "ProxyMain::BeginMainFrame 118"
  std::string pairs_warning() const;  // "171 and 168 calls: pairs may slip"; empty: none

  // "3 % of A's calls were read; only these are compared."; empty: all were.
  std::string unread_text(Side side) const;
  // What the calls of a side would take if all were read; nothing: that is not known.
  std::optional<std::uint64_t> bytes_to_read_all(Side side) const;

  // The calls whose bands stand between the lanes, and whether only outermost ones do. Null: none.
  const PairedCalls* banded_calls() const;
  bool only_outermost() const { return line_up_.how != LineUpHow::call; }

  // A name of the table; empty: none.
  void select_name(std::string_view compared);
  std::optional<std::uint32_t> compared_name(std::string_view compared) const;
  std::optional<std::uint32_t> selected_name() const { return compared_name(choice.selected); }
  // Finds that call of one side or of both, shows and selects it. Both stand below each other then.
  Status go_to_call(std::optional<Side> only, std::uint32_t name, NamedCall which);
  // The compared name of a slice of one side.
  std::optional<std::uint32_t> compared_name_of(Side side, StringId name) const;
  // Strings of a side that became one compared name.
  std::vector<StringId> strings_of(Side side, std::uint32_t compared) const;
  // The track that stands beside this one; kNoTrack if there is none.
  TrackId partner_of(Side side, TrackId track) const;

 private:
  struct PairsKey {
    std::string name, by;
    std::uint64_t answers = 0;
    std::uint64_t version_a = 0, version_b = 0;
    bool operator==(const PairsKey&) const = default;
  };
  using Pairs = std::shared_ptr<const PairedCalls>;
  struct ReadSoFar {  // of the session in that version
    std::uint64_t version = 0, calls = 0, bytes = 0;
  };
  using PairsQuestion = Latest<PairsKey, Pairs>;

  const ReadSoFar& read_so_far(Side side) const;
  void set_line_up(LineUp line_up);
  void know_names() const;
  void ask_pairs(PairsQuestion& pairs, const std::string& name);
  void line_up_known_call();
  std::optional<std::int64_t> edge_near(Side side, double x_px, double reach_px) const;
  void select_partner();
  std::int64_t start_ns(Side side) const;
  void keep_limits();
  void follow_rows();
  void note_lanes();
  void note_lonely_threads();
  std::vector<TrackPair> track_pairs() const;

  OfSides<std::unique_ptr<Session>> own_;  // in any order
  std::unique_ptr<Session> first_;
  Tab* a_ = nullptr;
  std::unique_ptr<Tab> b_;
  Side used_ = side_a;
  std::optional<Side> acting_;  // for a moment, without leading
  OfSides<double> seen_scroll_px_{};
  std::uint64_t alone_version_ = 0;  // of the answers
  LineUp line_up_;
  bool lines_up_by_itself_ = true;  // by starts, which move while a trace is read
  std::optional<std::uint64_t> wanted_k_;
  // A lane that is dragged: how they lined up before, and the edge that it is held by.
  struct LaneDrag {
    std::int64_t shift_ns = 0;
    std::optional<std::int64_t> edge_ns;
  };
  LaneDrag lane_drag_;
  std::string pair_by_;  // the key of an argument
  PairsQuestion lined_, selected_;
  OfSides<SliceRef> seen_selected_;
  std::optional<Side> partner_due_;  // of the call selected there
  // By StringId of a side; of the answers of that version.
  mutable OfSides<std::vector<std::uint32_t>> compared_of_;
  mutable std::unordered_map<std::string_view, std::uint32_t> by_text_;
  mutable std::uint64_t names_version_ = 0;
  mutable OfSides<ReadSoFar> read_so_far_;
  std::string message_;
  // What the outlined names of the lanes were looked up for.
  OfSides<std::optional<std::pair<std::uint64_t, std::optional<std::uint32_t>>>> outlined_for_;
  struct GoKey {
    std::uint64_t number = 0;
    bool operator==(const GoKey&) const = default;
  };
  std::uint64_t goes_ = 0;
  Latest<GoKey, OfSides<std::optional<LinedCall>>> go_;
  void show_found();
};

// "3 % of A's calls were read; only these are compared."; empty: all were. `progress` says how far
// the counting of all calls has come, while that is not done.
std::string unread_sentence(Side side, std::uint64_t read, std::optional<std::uint64_t> all,
                            std::string_view progress);

// A sentence above the lanes as it is remembered that it was dismissed: it counts on.
std::string without_numbers(std::string_view note);

// What stands on the tab: names without what files are packed in.
std::string compared_title(std::string_view a, std::string_view b);

}  // namespace cinderscope
