// The format's entry: recognises V8's CPU and heap profiles by their content and opens them.
#include "formats/cpuprofile/cpuprofile_source.h"
#include "ingest/base/json/json_head.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace cpuprofile {
namespace {

bool is_profile(const json::JsonHead& head) {
  if (!head.is_object || head.has_key("traceEvents") || head.has_key("snapshot")) return false;
  if (head.has_key("nodes") && head.has("callFrame") && head.has("functionName")) return true;
  if (head.has_key("head") && head.has("functionName") &&
      (head.has("selfSize") || head.has("hitCount") || head.has("callUID") ||
       head.has("children"))) {
    return true;
  }
  if (head.has_key("startTime") && head.has_key("endTime") && head.has_key("samples")) return true;
  return head.has_key("samples") && head.has_key("timeDeltas");
}

class CpuprofileFormat final : public Format {
 public:
  std::string_view name() const override { return "cpuprofile"; }
  std::string_view description() const override { return "V8 CPU and heap profile"; }
  std::vector<std::string_view> name_endings() const override {
    return {".cpuprofile", ".heapprofile"};
  }

  Match probe(const Input& input) const override {
    const std::string head = head_text(input);
    return is_profile(json::JsonHead(head)) ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<CpuprofileSource>(std::move(input)));
  }
};

}  // namespace
}  // namespace cpuprofile

const Format& cpuprofile_format() {
  static const cpuprofile::CpuprofileFormat format;
  return format;
}

}  // namespace cinderscope
