// The format's writer: copies what came from Google JSON, and writes all else in a form of its own.
#include "formats/google_json/write/plain_writer.h"
#include "formats/google_json/write/verbatim_writer.h"

namespace cinderscope {
namespace google_json {
namespace {

class GoogleJsonWriter final : public TraceWriter {
 public:
  std::string_view name() const override { return "json"; }
  std::string_view description() const override { return "Google JSON"; }
  std::string_view ending() const override { return ".json"; }
  bool can_pack() const override { return true; }

  bool copies_parts() const override { return true; }
  Status write(PartReader& part, Output& out, LossReport& losses) const override {
    const Result<OutputFile*> file = out.file();
    if (!file) return file.error();
    if (const GoogleJsonSource* source = copied_from(part)) {
      return VerbatimWriter(part, *source, **file, losses).write();
    }
    return PlainWriter(part, **file, losses).write();
  }

  std::uint64_t known_bytes(PartReader& part) const override {
    const GoogleJsonSource* source = copied_from(part);
    return source != nullptr && part.options().is_all() ? source->text().size_bytes() : 0;
  }

  void foresee(PartReader& part, LossReport& losses) const override {
    losses.count(loss::kFlowEnds, part.flows_cut());
    for (const PartTrack& track : part.tracks()) {
      if (track.kind == TrackKind::lifetimes) part.count_lost(loss::kSteps, track, losses);
    }
  }
};

}  // namespace
}  // namespace google_json

const TraceWriter& google_json_writer() {
  static const google_json::GoogleJsonWriter writer;
  return writer;
}

}  // namespace cinderscope
