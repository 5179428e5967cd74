// Copies the events of one window as a plan says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/google_json/window_parser.h"
#include "formats/google_json/write/json_edit.h"
#include "formats/google_json/write/verbatim_plan.h"
#include "ingest/part/loss_report.h"

namespace cinderscope::google_json {

// A counter's last value before the range, which is written at its begin.
struct HeldCounter {
  std::int64_t time = 0;
  std::string event;  // with its new time
  bool replaced = false;
};

// What becomes of one window.
struct CopiedEvents {
  std::string text;  // events, each behind a separator
  std::map<std::string, HeldCounter> held;
  LossReport losses;
};

// One thread.
class EventCopier final : private EventVisitor {
 public:
  EventCopier(const VerbatimPlan& plan, const Input& input) : plan_(plan), parser_(input, this) {}

  CopiedEvents copy(std::uint64_t begin, std::uint64_t limit, bool bracketed);

 private:
  using Change = VerbatimPlan::Change;

  void event(const RawEvent& event, const char* bytes, std::uint64_t offset) override;
  void count(char phase, bool cut);
  std::string time_text(std::int64_t time) const { return plan_.time_text(time); }
  std::string length_text(std::int64_t length) const { return plan_.length_text(length); }
  Edit edit_of(const RawEvent& event, Key key, std::string text) const;
  // All times are to be moved: that of the event, and that of an older cut.
  std::vector<Edit> moved(const RawEvent& event, const char* bytes, std::int64_t time) const;
  std::string moved_cut(const RawEvent& event, const char* bytes) const;
  // Events with samples come later than these, by up to a buffer of them. What has not ended lasts
  // to the last event, so none may lie behind the range.
  std::vector<Edit> profile_edits(const RawEvent& event, const char* bytes,
                                  const VerbatimPlan::Decision& decision) const;
  std::string changed(const RawEvent& event, const char* bytes, const Change& change);
  std::string key_of(const RawEvent& event, const char* bytes) const;
  void hold(const RawEvent& event, const char* bytes, std::int64_t time);

  const VerbatimPlan& plan_;
  WindowParser parser_;
  std::string_view separator_;
  CopiedEvents out_;
};

}  // namespace cinderscope::google_json
