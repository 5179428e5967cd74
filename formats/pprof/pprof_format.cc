// Profiles of pprof: Go, and whatever else writes its protobuf messages.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "formats/pprof/pprof_load.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/build/passing_memory.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

std::string type_text(const Weight& weight) {
  return weight.name + "/" + weight.unit;
}

class PprofSource final : public TraceSource, private LoadedState {
 public:
  explicit PprofSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    Result<Pin> all = input_.pin_all();
    if (!all) return all.error();
    context.set_total_bytes(all->size());
    Result<pprof::LaidOutProfile> laid = pprof::load_profile(all->text(), out, context);
    if (!laid) return laid.error();
    laid_ = std::move(*laid);
    bytes_ = std::move(*all);
    return ok();
  }

  // Records are the numbers of calls.
  RecordOffset record_end() const override { return laid_.details.calls(); }

  RecordText read_record(RecordOffset record, RecordOffset) const override {
    if (record >= record_end()) return {};
    return laid_.details.describe(static_cast<std::uint32_t>(record), laid_.tables);
  }
  bool has_categories() const override { return false; }

  const Input& input() const override { return input_; }

  Size size() const override {
    return {.stored_bytes = input_.stored_bytes(),
            .inflated_bytes = input_.size_bytes(),
            .own_bytes = laid_.details.own_bytes() +
                         laid_.tables.locations.capacity() * sizeof(pprof::Location) +
                         laid_.tables.functions.capacity() * sizeof(pprof::Function) +
                         laid_.tables.strings.capacity() * sizeof(std::string_view)};
  }

  std::vector<std::pair<std::string, std::string>> details() const override {
    const auto list = [](const auto& items, const auto& text_of) {
      JsonWriter json;
      json.begin_array();
      for (const auto& item : items) json.text(text_of(item));
      json.end_array();
      return json.str();
    };
    if (laid_.weights.empty()) return {};
    const Weight& weight = laid_.weights[laid_.weight];
    return {
        {"sample_types", list(laid_.weights, type_text)},
        {"weight", json_quoted(type_text(weight))},
        {"unit", json_quoted(weight.unit)},
        {"total", fmt::to_string(laid_.total)},
        {"locations", fmt::to_string(laid_.tables.locations.size())},
        {"functions", fmt::to_string(laid_.tables.functions.size())},
        {"mappings", fmt::to_string(laid_.tables.mappings.size())},
        {"label_keys", list(laid_.label_keys, [](const std::string& key) { return key; })},
        {"dropped_frames", fmt::to_string(laid_.dropped_frames)},
    };
  }

  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }

  void save(FieldWriter& out) const override {
    std::vector<std::pair<std::string, std::string>> weights;
    for (const Weight& weight : laid_.weights) weights.emplace_back(weight.name, weight.unit);
    out.add_pairs(weights);
    out.add(std::uint64_t{laid_.weight});
    out.add(laid_.total);
    out.add(laid_.dropped_frames);
    laid_.details.save(out);
  }

  // The tables are read from the file once more: they are names and places in it.
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>&) override {
    Result<Pin> all = input_.pin_all();
    if (!all) return false;
    Diagnostics known;  // the timeline has them
    Result<pprof::ProfileTables> tables = pprof::read_tables(all->text(), known);
    if (!tables) return false;
    laid_ = {};
    laid_.tables = std::move(*tables);
    release(laid_.tables.samples);
    for (auto& [name, unit] : in.take_pairs()) laid_.weights.push_back({name, unit});
    laid_.weight = in.take<std::uint64_t>();
    laid_.total = in.take<std::int64_t>();
    laid_.dropped_frames = in.take<std::uint64_t>();
    laid_.details.restore(in, laid_.tables);
    laid_.label_keys = laid_.details.keys();
    std::ranges::sort(laid_.label_keys);
    bytes_ = std::move(*all);
    return in.done() && laid_.weight < laid_.weights.size();
  }

  Input input_;
  Pin bytes_;  // what the tables point into
  pprof::LaidOutProfile laid_;
};

class PprofFormat final : public Format {
 public:
  std::string_view name() const override { return "pprof"; }
  std::string_view description() const override { return "pprof"; }
  std::vector<std::string_view> name_endings() const override { return {".pprof", ".prof", ".pb"}; }

  Match probe(const Input& input) const override {
    if (input.is_folder()) return Match::no;
    constexpr std::size_t kHeadBytes = 4096;
    const std::span<const std::byte> head = input.head();
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return pprof::looks_like_profile(text, head.size() < kHeadBytes) ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<PprofSource>(std::move(input)));
  }
};

}  // namespace

const Format& pprof_format() {
  static const PprofFormat format;
  return format;
}

}  // namespace cinderscope
