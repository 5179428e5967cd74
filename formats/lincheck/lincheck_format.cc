#include <memory>
#include <utility>

#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/lincheck_source.h"
#include "formats/lincheck/packed_trace.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

class LincheckFormat : public Format {
 public:
  std::string_view name() const override { return "lincheck"; }
  std::string_view description() const override { return "Lincheck"; }
  std::vector<std::string_view> name_endings() const override { return {".trace", ".packedtrace"}; }

  Match probe(const Input& input) const override {
    lincheck::JavaReader in(input.head());
    const bool is_data = static_cast<std::uint64_t>(in.i64()) == lincheck::kMagic;
    return is_data || lincheck::is_packed_trace(input) ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    if (!lincheck::is_packed_trace(input)) {
      const Result<std::int64_t> version = lincheck::version_of(input.head());
      if (!version) return version.error();
    }
    return std::unique_ptr<TraceSource>(
        std::make_unique<lincheck::LincheckSource>(std::move(input)));
  }
};

}  // namespace

const Format& lincheck_format() {
  static const LincheckFormat format;
  return format;
}

}  // namespace cinderscope
