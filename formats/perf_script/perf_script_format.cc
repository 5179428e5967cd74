// The format's entry: recognises texts of `perf script` by their content and opens them.
#include "formats/perf_script/perf_lines.h"
#include "formats/perf_script/perf_script_source.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace perf_script {
namespace {

constexpr std::size_t kWholeHead = 4096;

class PerfScriptFormat final : public Format {
 public:
  std::string_view name() const override { return "perf_script"; }
  std::string_view description() const override { return "perf script"; }

  Match probe(const Input& input) const override {
    if (input.is_folder()) return Match::no;
    const bool whole = input.head().size() < kWholeHead;
    return is_perf_text(head_text(input), whole) ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<PerfScriptSource>(std::move(input)));
  }
};

}  // namespace
}  // namespace perf_script

const Format& perf_script_format() {
  static const perf_script::PerfScriptFormat format;
  return format;
}

}  // namespace cinderscope
