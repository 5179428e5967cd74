// Files of speedscope, and of the many profilers that write its format.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "formats/speedscope/speedscope_load.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_head.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"
#include "ingest/input/input_text.h"

namespace cinderscope {
namespace {

std::string quoted_list(const std::vector<std::string>& words) {
  JsonWriter json;
  json.begin_array();
  for (const std::string& word : words) json.text(word);
  json.end_array();
  return json.str();
}

class SpeedscopeSource final : public TraceSource, private LoadedState {
 public:
  explicit SpeedscopeSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    const Result<InputText> text = InputText::of(input_);
    if (!text) return text.error();
    context.set_total_bytes(text->text().size());
    const speedscope::SpeedscopeFile file = speedscope::read_speedscope(text->text());
    Result<speedscope::LoadedProfiles> loaded = speedscope::load_profiles(file, out, context);
    if (!loaded) return loaded.error();
    loaded_ = std::move(*loaded);
    strings_ = out.strings();
    return ok();
  }

  // Records are the numbers of frames.
  RecordOffset record_end() const override { return loaded_.frames.size(); }

  RecordText read_record(RecordOffset record, RecordOffset) const override {
    RecordText text;
    if (record >= loaded_.frames.size()) return text;
    const speedscope::KeptFrame& frame = loaded_.frames[record];
    if (frame.file != kEmptyString) {
      text.facts.emplace_back("file", std::string(strings_->text(frame.file)));
    }
    if (frame.line != 0) text.facts.emplace_back("line", fmt::to_string(frame.line));
    if (frame.column != 0) text.facts.emplace_back("column", fmt::to_string(frame.column));
    return text;
  }
  bool has_categories() const override { return false; }

  const Input& input() const override { return input_; }
  ThreadId active_thread() const override { return loaded_.active; }
  LoadedState* loaded_state() override { return this; }

  Size size() const override {
    return {.stored_bytes = input_.stored_bytes(),
            .inflated_bytes = input_.size_bytes(),
            .own_bytes = loaded_.frames.capacity() * sizeof(speedscope::KeptFrame)};
  }

  std::vector<std::pair<std::string, std::string>> details() const override {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"profiles", fmt::to_string(loaded_.profiles)},
        {"types", quoted_list(loaded_.types)},
        {"units", quoted_list(loaded_.units)},
        {"exporter", json_quoted(loaded_.exporter)},
    };
    if (loaded_.scale != 1) facts.emplace_back("scale", fmt::to_string(loaded_.scale));
    return facts;
  }

 private:
  std::uint32_t reader_version() const override { return 1; }

  void save(FieldWriter& out) const override {
    out.add(std::uint64_t{loaded_.frames.size()});
    for (const speedscope::KeptFrame& frame : loaded_.frames) {
      out.add(frame.file);
      out.add(frame.line);
      out.add(frame.column);
    }
    out.add(std::uint64_t{loaded_.profiles});
    for (const auto* words : {&loaded_.types, &loaded_.units}) {
      out.add(std::uint64_t{words->size()});
      for (const std::string& word : *words) out.add_text(word);
    }
    out.add_text(loaded_.exporter);
    out.add(loaded_.scale);
    out.add(loaded_.active);
  }

  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) override {
    strings_ = names;
    loaded_.frames.resize(in.take_count(12));
    for (speedscope::KeptFrame& frame : loaded_.frames) {
      frame.file = in.take<StringId>();
      frame.line = in.take<std::uint32_t>();
      frame.column = in.take<std::uint32_t>();
      if (index(frame.file) >= names->size()) in.fail();
    }
    loaded_.profiles = in.take<std::uint64_t>();
    for (auto* words : {&loaded_.types, &loaded_.units}) {
      words->resize(in.take_count(8));
      for (std::string& word : *words) word = in.take_text();
    }
    loaded_.exporter = in.take_text();
    loaded_.scale = in.take<std::uint32_t>();
    loaded_.active = in.take<ThreadId>();
    return in.done();
  }

  Input input_;
  speedscope::LoadedProfiles loaded_;
  std::shared_ptr<const StringPool> strings_;
};

class SpeedscopeFormat final : public Format {
 public:
  std::string_view name() const override { return "speedscope"; }
  std::string_view description() const override { return "speedscope"; }
  std::vector<std::string_view> name_endings() const override { return {".speedscope.json"}; }

  Match probe(const Input& input) const override {
    const std::string text = head_text(input);
    const json::JsonHead head(text);
    if (!head.is_object || head.has_key("traceEvents")) return Match::no;
    const bool schema = head.has_key("$schema") &&
                        text.find("speedscope.app/file-format-schema") != std::string::npos;
    const bool profiles = head.has_key("profiles") && head.has("type") &&
                          (head.has("evented") || head.has("sampled")) &&
                          (head.has("unit") || head.has("startValue"));
    return schema || profiles || begins_with_frames(head.text) ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<SpeedscopeSource>(std::move(input)));
  }

 private:
  // `{"shared":{"frames"`: the frames may fill the head.
  static bool begins_with_frames(std::string_view text) {
    constexpr std::string_view kBegin = "{\"shared\":{\"frames\"";
    std::size_t at = 0;
    for (const char wanted : kBegin) {
      while (at < text.size() &&
             (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
        ++at;
      }
      if (at == text.size() || text[at++] != wanted) return false;
    }
    return true;
  }
};

}  // namespace

const Format& speedscope_format() {
  static const SpeedscopeFormat format;
  return format;
}

}  // namespace cinderscope
