#include <memory>
#include <utility>

#include "formats/thread_stream/chunk_walk.h"
#include "formats/thread_stream/thread_stream_source.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

class ThreadStreamFormat final : public Format {
 public:
  std::string_view name() const override { return "thread_stream"; }
  std::string_view description() const override { return "thread stream"; }
  std::vector<std::string_view> name_endings() const override { return {".tsd"}; }

  bool can_load_prefix() const override { return true; }

  // A file that holds names alone belongs to a trace and is none.
  Match probe(const Input& input) const override {
    if (input.is_folder() || !thread_stream::has_magic(input.head())) return Match::no;
    const auto header = thread_stream::read_file_header(input.head());
    const bool names_only = header && (header->flags & thread_stream::kNamesOnly) != 0;
    return names_only ? Match::no : Match::certain;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    const Result<thread_stream::FileHeader> header = thread_stream::read_file_header(input.head());
    if (!header) return header.error();
    return std::unique_ptr<TraceSource>(
        std::make_unique<thread_stream::ThreadStreamSource>(std::move(input), *header));
  }
};

}  // namespace

const Format& thread_stream_format() {
  static const ThreadStreamFormat format;
  return format;
}

}  // namespace cinderscope
