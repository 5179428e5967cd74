#include "formats/pprof/pprof_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <unordered_map>

#include "formats/pprof/raw_sample.h"
#include "ingest/base/saturating.h"
#include "ingest/base/utf8.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/profile/call_nodes.h"

namespace cinderscope::pprof {
namespace {

constexpr DiagnosticKind kBadSample{"bad_record", Severity::damage,
                                    "A sample cannot be read or has fewer values than there are "
                                    "types; those that are missing count as 0."};
constexpr DiagnosticKind kUnknownLocation{
    "unknown_call", Severity::odd,
    "Frames of samples whose location the profile lacks were left "
    "out."};

// Texts are named by a byte or two: what names many of them, or a long one often, must not copy
// them all. No real type, label or note is longer.
constexpr std::size_t kMostTextBytes = 1000, kMostNotes = 1000, kMostTypes = 1000;

// How many frames the stacks of a file may have. A location stands for as many as it has lines, so
// a small file could name more than any memory holds; real ones have a few for each byte at most.
std::uint64_t most_frames(std::uint64_t bytes) {
  return 16 * bytes + 1'000'000;
}

std::string date_of(std::int64_t time_ns) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds(time_ns)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

class ProfileLoad {
 public:
  ProfileLoad(std::string_view bytes, LaidOutProfile& laid, TimelineBuilder& out,
              LoadContext& context)
      : bytes_(bytes),
        laid_(laid),
        tables_(laid.tables),
        out_(out),
        context_(context),
        frames_left_(most_frames(bytes.size())) {}

  Status load() {
    const std::uint64_t all_bytes = bytes_.size();
    if (tables_.samples.empty()) {
      return Error{.code = ErrorCode::damaged, .text = "This profile of pprof has no samples."};
    }
    choose_weight();
    note_facts();
    FrameTable frames(tables_, !context_.options().dropped_frames, out_);
    const std::uint64_t step =
        std::max<std::uint64_t>(1, context_.window_bytes() * tables_.samples.size() /
                                       std::max<std::uint64_t>(all_bytes, 1));
    for (std::size_t i = 0; i < tables_.samples.size(); ++i) {
      if (i % step == 0 && !context_.tick(out_, all_bytes * i / tables_.samples.size())) {
        return Error{ErrorCode::cancelled, "Loading was cancelled."};
      }
      add_sample(tables_.samples[i], frames);
    }
    out_.count_samples(tables_.samples.size());
    out_.count_records(tables_.samples.size());
    FrameUses uses = paths_.take_uses();
    const CallTree tree = std::move(nodes_).tree_without_depths(frames.names());
    weights_.sum_up(tree.parent);
    const ProcessId process = out_.process("-");
    if (!tables_.mappings.empty()) {
      out_.process_facts(process).name =
          out_.intern(base_name(tables_.text(tables_.mappings.front().file, out_.diagnostics())));
    }
    lay_out_weights(tree, weights_, *out_.strings(), out_.slices(out_.thread(process, "-")),
                    out_.diagnostics());
    out_.diagnostics().count(diagnostic::kNegativeWeight, kNoOffset, {}, weights_.negative_count());
    laid_.details.finish(tree, std::move(weights_), std::move(uses), frames.take_frames());
    laid_.label_keys = laid_.details.keys();
    std::ranges::sort(laid_.label_keys);
    release(tables_.samples);
    return ok();
  }

 private:
  std::string text_or(std::uint64_t index, std::string_view otherwise) {
    const std::string_view text = tables_.text(index, out_.diagnostics());
    return text.empty() ? std::string(otherwise) : valid_utf8(text.substr(0, kMostTextBytes));
  }

  void choose_weight() {
    if (tables_.sample_types.size() > kMostTypes) {
      out_.diagnostics().count(kBadSample);
      tables_.sample_types.resize(kMostTypes);
    }
    for (const ValueType& type : tables_.sample_types) {
      laid_.weights.push_back({text_or(type.type, "samples"), text_or(type.unit, "count")});
    }
    if (laid_.weights.empty()) laid_.weights.push_back({"samples", "count"});
    const std::string_view usual = tables_.text(tables_.default_type, out_.diagnostics());
    laid_.weight = find_weight(laid_.weights, context_.options().weight)
                       .value_or(place_of(usual).value_or(laid_.weights.size() - 1));
    out_.use_weights(laid_.weights, laid_.weight);
    out_.use_axis({laid_.weights[laid_.weight].unit, 1});
  }
  // By name alone: the file does not number them.
  std::optional<std::size_t> place_of(std::string_view name) const {
    const auto found = std::ranges::find(laid_.weights, name, &Weight::name);
    if (name.empty() || found == laid_.weights.end()) return std::nullopt;
    return static_cast<std::size_t>(found - laid_.weights.begin());
  }

  void note_facts() {
    if (tables_.time_ns != 0) out_.note("time", date_of(tables_.time_ns));
    if (tables_.duration_ns != 0) {
      out_.note("duration", fmt::format("{} s", static_cast<double>(tables_.duration_ns) / 1e9));
    }
    if (tables_.period != 0) {
      out_.note("period",
                fmt::format("{} {} {}", tables_.period, text_or(tables_.period_type.type, ""),
                            text_or(tables_.period_type.unit, "")));
    }
    for (std::size_t i = 0; i < std::min(tables_.comments.size(), kMostNotes); ++i) {
      out_.note("comment", text_or(tables_.comments[i], ""));
    }
    if (tables_.doc_url != 0) out_.note("documentation", text_or(tables_.doc_url, ""));
    for (std::size_t i = 0; i < std::min(tables_.mappings.size(), kMostNotes); ++i) {
      const Mapping& mapping = tables_.mappings[i];
      out_.note("mapping", fmt::format("{:#x}-{:#x} {} {}", mapping.start, mapping.limit,
                                       text_or(mapping.file, ""), text_or(mapping.build_id, "")));
    }
  }

  void add_sample(std::string_view bytes, const FrameTable& frames) {
    Diagnostics& diagnostics = out_.diagnostics();
    try {
      read_sample(bytes, sample_);
    } catch (const protozero::exception&) {
      return diagnostics.count(kBadSample, offset_of(bytes));
    }
    if (sample_.values.size() < laid_.weights.size()) {
      diagnostics.count(kBadSample, offset_of(bytes));
    }
    sample_.values.resize(laid_.weights.size(), 0);
    const std::int64_t value = sample_.values[laid_.weight];
    laid_.total = saturating_sum(laid_.total, value);
    sample_at_ = offset_of(bytes);
    const std::uint32_t call = call_of_stack(frames);
    if (call == kNoCall || value == 0) return;
    weights_.add(call, value);
    for (const std::string_view label : sample_.labels) add_label(label, call, value);
  }

  // From the outermost location on. Frames that are dropped end the stack behind the first one that
  // is not dropped at all.
  std::uint32_t call_of_stack(const FrameTable& frames) {
    std::uint32_t path = kNoCall;
    bool met_kept = false, ended = false;
    for (auto id = sample_.locations.rbegin(); id != sample_.locations.rend(); ++id) {
      const auto location = tables_.location_of.find(*id);
      if (!location) {
        out_.diagnostics().count(kUnknownLocation, sample_at_);
        continue;
      }
      const auto all = frames.frames_of(*location);
      const Dropped dropped = frames.dropped(*location);
      std::size_t kept = ended ? 0 : frames.kept_frames(*location);
      if (dropped == Dropped::no) {
        met_kept = true;
      } else if (met_kept && !ended) {
        ended = true;
        if (dropped == Dropped::whole) kept = 0;
      }
      laid_.dropped_frames += all.size() - kept;
      if (kept > frames_left_) {
        out_.diagnostics().count(diagnostic::kSamplesCut, sample_at_);
        break;
      }
      frames_left_ -= kept;
      for (const FrameOfLocation& frame : all.first(kept)) {
        path = paths_.path(path, frames.number_of(frame), frame.function);
      }
    }
    paths_.count_sample(path);
    return paths_.call(path);
  }

  void add_label(std::string_view bytes, std::uint32_t call, std::int64_t weight) {
    const auto known = label_of_bytes_.find(bytes);
    const auto label = known != label_of_bytes_.end() ? known->second : read_label(bytes);
    if (label) {
      laid_.details.labelled(call, *label, weight);
    } else {
      out_.diagnostics().count(kBadSample, offset_of(bytes));
    }
  }

  // Nothing if it cannot be read.
  std::optional<std::uint32_t> read_label(std::string_view bytes) {
    std::uint64_t key = 0, text = 0, unit = 0;
    std::int64_t number = 0;
    try {
      protozero::pbf_reader reader(protozero::data_view(bytes.data(), bytes.size()));
      while (reader.next()) {
        const std::uint32_t field = reader.tag();
        if (reader.wire_type() != protozero::pbf_wire_type::varint) {
          reader.skip();
          continue;
        }
        const std::uint64_t value = reader.get_uint64();
        if (field == 1) key = value;
        if (field == 2) text = value;
        if (field == 3) number = static_cast<std::int64_t>(value);
        if (field == 4) unit = value;
      }
    } catch (const protozero::exception&) {
      return std::nullopt;
    }
    std::string value = text_or(text, "");
    if (text == 0) {
      value = fmt::to_string(number);
      if (unit != 0) value += " " + text_or(unit, "");
    }
    const auto label = laid_.details.label(laid_.details.key(text_or(key, "")), value);
    // A text that is not there is counted each time.
    if (std::max({key, text, unit}) < tables_.strings.size()) label_of_bytes_[bytes] = label;
    return label;
  }

  std::int64_t offset_of(std::string_view part) const { return part.data() - bytes_.data(); }

  std::string_view bytes_;  // of the file
  std::int64_t sample_at_ = 0;
  LaidOutProfile& laid_;
  ProfileTables& tables_;
  TimelineBuilder& out_;
  LoadContext& context_;
  std::uint64_t frames_left_;
  RawSample sample_;
  std::unordered_map<std::string_view, std::optional<std::uint32_t>> label_of_bytes_;  // messages
  CallNodes nodes_;
  FramePaths paths_{nodes_};
  CallWeights weights_;
};

}  // namespace

Result<LaidOutProfile> load_profile(std::string_view bytes, TimelineBuilder& out,
                                    LoadContext& context) {
  LaidOutProfile laid;
  Result<ProfileTables> tables = read_tables(bytes, out.diagnostics());
  if (!tables) return tables.error();
  laid.tables = std::move(*tables);
  const Status status = ProfileLoad(bytes, laid, out, context).load();
  if (!status) return status.error();
  return laid;
}

}  // namespace cinderscope::pprof
