#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/spall/buffer_reader.h"
#include "formats/spall/flat_reader.h"
#include "formats/spall/plain_args.h"
#include "formats/spall/spall_file.h"
#include "formats/spall/spall_load.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

class SpallSource : public TraceSource, public spall::HasPlainArgs, private LoadedState {
 public:
  SpallSource(Input input, spall::SpallFile file)
      : input_(std::move(input)), file_(std::move(file)), clock_(clock_of(file_, input_)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    return load_file(file_, input_, clock_, out, context, has_args_);
  }

  RecordText read_record(RecordOffset record, RecordOffset) const override {
    if (file_.buffers != nullptr) return buffer_record_text(*file_.buffers, input_, record);
    RecordText text;
    const std::string args = flat_args(*file_.flat, input_, record);
    if (!args.empty()) text.args = parse_args(args);
    return text;
  }

  bool has_args() const override { return has_args_; }
  bool has_categories() const override { return false; }
  bool append_plain_args(RecordOffset record, std::string& out) const override {
    spall::PlainArgs all(input_, file_);
    const auto args = all.of(record);
    if (args) out += *args;
    return args.has_value();
  }
  spall::PlainArgs plain_args() const override { return {input_, file_}; }

  const Input& input() const override { return input_; }

  std::vector<std::pair<std::string, std::string>> details() const override {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"version", json_quoted(file_.version())},
        {"timestamp_unit", fmt::format("{}", file_.unit)},
        {"ns_per_tick", fmt::format("{}", file_.ns_per_tick)},
    };
    if (file_.buffers != nullptr && file_.buffers->micro) {
      facts.emplace_back("program", json_quoted(file_.program_path));
      facts.emplace_back("known_address", json_quoted(fmt::format("{:#x}", file_.known_address)));
    }
    return facts;
  }

  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override { out.add(has_args_); }
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>&) override {
    has_args_ = in.take<bool>();
    return true;
  }

  Input input_;
  spall::SpallFile file_;
  spall::SpallClock clock_;
  bool has_args_ = true;  // until it is known
};

class SpallFormat : public Format {
 public:
  std::string_view name() const override { return "spall"; }
  std::string_view description() const override { return ".spall"; }
  std::vector<std::string_view> name_endings() const override { return {".spall"}; }

  bool can_load_prefix() const override { return true; }

  // Eight bytes of magic, five of them zero, are no accident; what else is wrong, open() says.
  Match probe(const Input& input) const override {
    const std::span<const std::byte> head = input.head();
    if (head.size() < sizeof(std::uint64_t)) return Match::no;
    const auto magic = load_value<std::uint64_t>(head.data());
    const bool known = magic == spall::kManualMagic || magic == spall::kAutoMagic;
    return known ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    Result<spall::SpallFile> file = spall::read_header(input);
    if (!file) return file.error();
    return std::unique_ptr<TraceSource>(
        std::make_unique<SpallSource>(std::move(input), std::move(*file)));
  }
};

}  // namespace

const Format& spall_format() {
  static const SpallFormat format;
  return format;
}

}  // namespace cinderscope
