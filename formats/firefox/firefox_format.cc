// The format's entry: recognises profiles of the Firefox Profiler, and of Firefox, and opens them.
#include <algorithm>
#include <initializer_list>

#include "formats/firefox/firefox_source.h"
#include "ingest/base/json/json_head.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace firefox {
namespace {

bool is_profile(const json::JsonHead& head) {
  if (!head.is_object || head.has_key("traceEvents")) return false;
  // Of before 2016, which nobody reads any more.
  if (head.has_key("profileJSON") || head.has_key("symbolicationTable")) return false;
  const auto any = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return head.has(name); });
  };
  if (head.has_key("meta") && any({"preprocessedProfileVersion", "interval", "processType",
                                   "stackwalk", "markerSchema", "profilingStartTime"})) {
    return true;
  }
  if (head.has_key("threads") &&
      any({"processType", "stackTable", "frameTable", "registerTime", "stringTable"})) {
    return true;
  }
  if (head.keys.size() >= 2 && head.keys[0] == "label" && head.keys[1] == "duration") return true;
  if (head.has_key("profile") && any({"libs", "threads"})) return true;
  return (head.has_key("libs") || head.has_key("counters") || head.has_key("pages")) &&
         any({"debugName", "breakpadId", "preprocessedProfileVersion", "sampleGroups",
              "mainThreadIndex"});
}

class FirefoxFormat final : public Format {
 public:
  std::string_view name() const override { return "firefox"; }
  std::string_view description() const override { return "Firefox profile"; }

  Match probe(const Input& input) const override {
    const std::string head = head_text(input);
    return is_profile(json::JsonHead(head)) ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<FirefoxSource>(std::move(input)));
  }
};

}  // namespace
}  // namespace firefox

const Format& firefox_format() {
  static const firefox::FirefoxFormat format;
  return format;
}

}  // namespace cinderscope
