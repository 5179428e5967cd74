// Collapsed stacks, as the FlameGraph scripts and many profilers write them: "main;draw;blit 12".
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "formats/collapsed/collapsed_load.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"
#include "ingest/input/input_text.h"

namespace cinderscope {
namespace {

// Of what the lines of a head are, those that decide.
struct HeadLines {
  std::size_t all = 0, stacks = 0, with_callers = 0;
};

bool is_plain_text(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d));
  });
}

Match collapsed_match(std::string_view head, bool is_whole) {
  if (head.empty() || head.front() == '[' || head.front() == '<' || !is_plain_text(head)) {
    return Match::no;
  }
  if (head.find('\n') == std::string_view::npos && !is_whole && !head.starts_with('{')) {
    return std::ranges::count(head, ';') >= 8 ? Match::certain : Match::no;
  }
  HeadLines lines;
  while (!head.empty()) {
    const bool is_cut = !is_whole && head.find('\n') == std::string_view::npos;
    const std::string_view line = collapsed::take_line(head);
    if (is_cut || collapsed::is_remark(line)) continue;
    ++lines.all;
    const bool indented = line.front() == ' ' || line.front() == '\t';
    if (indented || !collapsed::read_stack_line(line).counted()) continue;
    ++lines.stacks;
    if (line.find(';') != std::string_view::npos) ++lines.with_callers;
  }
  const bool fits = lines.stacks > 0 && lines.stacks * 10 >= lines.all * 6 &&
                    lines.with_callers * 4 >= lines.stacks;
  return fits ? Match::certain : Match::no;
}

class CollapsedSource final : public TraceSource, private LoadedState {
 public:
  explicit CollapsedSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    const Result<InputText> text = InputText::of(input_);
    if (!text) return text.error();
    context.set_total_bytes(text->text().size());
    Result<collapsed::LaidOutStacks> laid =
        collapsed::load_stacks(text->text(), input_.damage().ends_early(), out, context);
    if (!laid) return laid.error();
    laid_ = std::move(*laid);
    return ok();
  }

  // Records are the numbers of calls.
  RecordOffset record_end() const override { return laid_.calls; }

  RecordText read_record(RecordOffset record, RecordOffset) const override {
    RecordText text;
    if (record >= record_end()) return text;
    const auto call = static_cast<std::uint32_t>(record);
    if (!laid_.kinds.empty() && laid_.kinds[call] != FrameKind::usual) {
      text.facts.emplace_back("kind", word_of(laid_.kinds[call]));
    }
    const std::vector<Weight> weights = laid_.facts.weights();
    for (std::size_t i = 0; i < laid_.measured.size(); ++i) {
      text.facts.emplace_back(weights[i].name, value_text(laid_.measured[i].sum(call)));
    }
    return text;
  }
  bool has_categories() const override { return false; }

  const Input& input() const override { return input_; }

  Size size() const override {
    std::uint64_t own_bytes = laid_.kinds.size();
    for (const CallWeights& weights : laid_.measured) own_bytes += weights.kept_bytes();
    return {.stored_bytes = input_.stored_bytes(),
            .inflated_bytes = input_.size_bytes(),
            .own_bytes = own_bytes};
  }

  std::vector<std::pair<std::string, std::string>> details() const override {
    JsonWriter names;
    names.begin_array();
    for (const Weight& weight : laid_.facts.weights()) names.text(weight.name);
    names.end_array();
    std::vector<std::pair<std::string, std::string>> facts = {
        {"unit", json_quoted(laid_.facts.unit)},
        {"total", fmt::to_string(laid_.total)},
        {"weights", names.str()},
    };
    if (laid_.facts.scale() != 1) facts.emplace_back("scale", fmt::to_string(laid_.facts.scale()));
    return facts;
  }

  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }

  void save(FieldWriter& out) const override {
    out.add(laid_.facts.two_counts);
    out.add(laid_.facts.fractions);
    out.add_text(laid_.facts.unit);
    out.add(std::uint64_t{laid_.facts.notes.size()});
    for (const auto& [key, value] : laid_.facts.notes) {
      out.add_text(key);
      out.add_text(value);
    }
    out.add(std::uint64_t{laid_.weight});
    out.add(laid_.total);
    out.add(std::uint64_t{laid_.calls});
    out.add(std::uint64_t{laid_.kinds.size()});
    for (const FrameKind kind : laid_.kinds) out.add(kind);
    out.add(std::uint64_t{laid_.measured.size()});
    for (const CallWeights& weights : laid_.measured) weights.save(out);
  }

  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>&) override {
    laid_.facts.two_counts = in.take<bool>();
    laid_.facts.fractions = in.take<bool>();
    laid_.facts.unit = in.take_text();
    laid_.facts.notes.resize(in.take_count(16));
    for (auto& [key, value] : laid_.facts.notes) {
      key = in.take_text();
      value = in.take_text();
    }
    laid_.weight = in.take<std::uint64_t>();
    laid_.total = in.take<std::int64_t>();
    laid_.calls = in.take<std::uint64_t>();
    laid_.kinds.resize(in.take_count(1));
    for (FrameKind& kind : laid_.kinds) kind = in.take_enum(FrameKind::collector);
    laid_.measured.resize(in.take_count(24));
    for (CallWeights& weights : laid_.measured) {
      weights.restore(in);
      if (weights.calls() != laid_.calls) in.fail();
    }
    if (!laid_.kinds.empty() && laid_.kinds.size() != laid_.calls) in.fail();
    if (laid_.measured.size() > laid_.facts.weights().size()) in.fail();
    return in.done();
  }

  std::string value_text(std::int64_t value) const {
    const std::uint32_t scale = laid_.facts.scale();
    if (scale == 1) return fmt::to_string(value);
    return fmt::format("{}.{:03}", value / scale, value % scale);
  }

  Input input_;
  collapsed::LaidOutStacks laid_;
};

class CollapsedFormat final : public Format {
 public:
  std::string_view name() const override { return "collapsed"; }
  std::string_view description() const override { return "collapsed stacks"; }
  std::vector<std::string_view> name_endings() const override { return {".folded", ".collapsed"}; }

  Match probe(const Input& input) const override {
    constexpr std::size_t kHeadBytes = 4096;
    const std::string head = head_text(input);
    return collapsed_match(head, input.head().size() < kHeadBytes);
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<CollapsedSource>(std::move(input)));
  }
};

}  // namespace

const Format& collapsed_format() {
  static const CollapsedFormat format;
  return format;
}

}  // namespace cinderscope
