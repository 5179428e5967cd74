// The text of trace events, as this program writes them: one a line, keys in one order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ingest/model/ids.h"

namespace cinderscope::google_json {

// Microseconds as an exact decimal: "12.5"; events as they are counted.
void append_time(std::string& out, std::int64_t time, bool are_events);
// A text as JSON; true if some bytes were no UTF-8 and became U+FFFD.
bool append_text(std::string& out, std::string_view text);
// A pid or tid: as a number where that is how it is read again, else as text.
void append_id(std::string& out, std::string_view id);

// Makes `{"name":…,"cat":…,"ph":…,"ts":…,"dur":…,"pid":…,"tid":…,…}`.
class EventText {
 public:
  EventText(std::string& out, bool are_events) : out_(out), are_events_(are_events) {}

  EventText& begin(std::string_view raw_name, std::string_view category, char phase);
  EventText& time(std::string_view key, std::int64_t time);
  EventText& owner(std::string_view raw_owner);  // `"pid":1,"tid":2`; may be empty
  EventText& raw(std::string_view key, std::string_view json);
  EventText& text(std::string_view key, std::string_view text);
  void end() { out_ += '}'; }
  std::uint64_t not_utf8() const { return not_utf8_; }

 private:
  std::string& out_;
  bool are_events_;
  std::uint64_t not_utf8_ = 0;
};

}  // namespace cinderscope::google_json
