// The stackFrames of a trace: calls by id, each naming its caller (section 6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cinderscope {
class FieldReader;
class FieldWriter;
}  // namespace cinderscope

namespace cinderscope::google_json {

struct StackFrame {
  std::string name, category;
  std::string parent;  // id of the caller; empty for an outermost one
};

class StackFrames {
 public:
  // Adds the members of a stackFrames object; of an id given twice the last one counts.
  void add(std::string_view object);

  // For a prepared copy of the trace (LoadedState).
  void save(FieldWriter& out) const;
  bool restore(FieldReader& in);

  bool empty() const { return frames_.empty(); }
  // Index of an id, or -1.
  std::int64_t find(const std::string& id) const;
  const std::vector<StackFrame>& frames() const { return frames_; }
  // Names from the outermost call to `id`; a circle or a missing caller ends the walk.
  std::vector<std::string> stack(const std::string& id) const;

 private:
  std::vector<StackFrame> frames_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

}  // namespace cinderscope::google_json
