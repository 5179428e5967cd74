#include "ingest/prepared/copy_writer.h"

#include <xxhash.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"
#include "ingest/os/atomic_file.h"
#include "ingest/prepared/copy_layout.h"
#include "ingest/prepared/model_fields.h"
#include "ingest/totals/precomputed/kept_totals.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {
namespace prepared {
namespace {

Error was_cancelled() {
  return {.code = ErrorCode::cancelled, .text = "Writing the prepared copy was stopped."};
}

// An XXH3 of bytes that come one after the other.
class RunningHash {
 public:
  RunningHash() : state_(XXH3_createState()) {
    if (state_ == nullptr) throw std::bad_alloc();
    reset();
  }
  ~RunningHash() { XXH3_freeState(state_); }
  RunningHash(const RunningHash&) = delete;
  RunningHash& operator=(const RunningHash&) = delete;

  void reset() { XXH3_64bits_reset(state_); }
  void add(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state_, bytes.data(), bytes.size());
  }
  std::uint64_t value() const { return XXH3_64bits_digest(state_); }

 private:
  XXH3_state_t* state_;
};

// The sections of one file, in order.
class SectionWriter {
 public:
  SectionWriter(AtomicFile& file, CopyProgress& progress) : file_(file), progress_(progress) {
    pad(kSectionBorder);  // the header comes here in the end
  }

  void begin(Section section) {
    pad(rounded_up_to(kSectionBorder, at_) - at_);
    section_ = &header_.table[static_cast<std::size_t>(section)];
    section_->offset = at_;
    hash_.reset();
  }
  void add(std::span<const std::byte> bytes) {
    hash_.add(bytes);
    file_.append(bytes);
    at_ += bytes.size();
    progress_.done_bytes = at_;
    constexpr std::uint64_t kStepBytes = std::uint64_t{32} << 20;
    if (at_ / kStepBytes != (at_ - bytes.size()) / kStepBytes && progress_.wake) progress_.wake();
  }
  template <class T>
  void add_values(const std::vector<T>& values) {
    add(std::as_bytes(std::span(values)));
  }
  void end() {
    section_->bytes = at_ - section_->offset;
    section_->hash = hash_.value();
  }
  void end_without_hash() {
    end();
    section_->hash = 0;
  }
  void add_section(Section section, std::string_view bytes) {
    begin(section);
    add(std::as_bytes(std::span(bytes)));
    end();
  }
  std::uint64_t in_section() const { return at_ - section_->offset; }

  // Goes on as long as this is true.
  bool goes_on() const { return file_.ok() && !progress_.cancelled; }

  Status finish() {
    header_.file_bytes = at_;
    header_.hash = XXH3_64bits(&header_, sizeof header_);
    file_.patch(0, std::as_bytes(std::span(&header_, 1)));
    if (progress_.cancelled) return was_cancelled();
    // Should the system crash before the disk has all of it, hashes tell.
    return file_.commit(false);
  }

 private:
  void pad(std::uint64_t bytes) {
    const std::vector<std::byte> zeros(static_cast<std::size_t>(bytes));
    file_.append(zeros);
    at_ += bytes;
  }

  AtomicFile& file_;
  CopyProgress& progress_;
  Header header_;
  SectionEntry* section_ = nullptr;
  std::uint64_t at_ = 0;
  RunningHash hash_;
};

// What of the model lies in sections of its own, in the order in which write_model() comes by it.
struct LargeParts {
  std::vector<const SliceRow*> rows;
  std::vector<const CounterSeries*> series;
};

void write_names(SectionWriter& out, const StringPool& names) {
  const std::uint32_t count = names.size();
  out.begin(Section::name_records);
  for (std::uint32_t id = 0; id < count && out.goes_on(); ++id) {
    const StringPool::Known name = names.known(StringId{id});
    NameRecord record{.text_bytes = static_cast<std::uint32_t>(name.text.size()),
                      .hash = name.hash};
    if (name.has_label) {
      record.label_bytes = static_cast<std::uint32_t>(name.label.size());
      record.colour = name.colour;
    }
    out.add(std::as_bytes(std::span(&record, 1)));
  }
  out.end();
  out.begin(Section::letters);
  for (std::uint32_t id = 0; id < count && out.goes_on(); ++id) {
    const StringPool::Known name = names.known(StringId{id});
    out.add(std::as_bytes(std::span(name.text)));
    if (name.has_label) out.add(std::as_bytes(std::span(name.label)));
  }
  out.end();
}

void write_flows(SectionWriter& out, const Timeline& timeline) {
  const Flows& flows = *timeline.flows;
  out.begin(Section::flows);
  for (std::size_t i = 0; i < flows.flows.size(); ++i) {
    const Flow flow = flows.flows[i];
    const FlowRecord record{.first_point = flow.first_point,
                            .point_count = static_cast<std::uint32_t>(flows.points_of(i).count()),
                            .name = index(flow.name),
                            .by_bind_id = flow.by_bind_id ? 1u : 0u};
    out.add(std::as_bytes(std::span(&record, 1)));
  }
  out.end();
  out.begin(Section::flow_points);
  for (std::size_t i = 0; i < flows.points.size() && out.goes_on(); ++i) {
    const FlowPoint point = flow_point(timeline, i);
    const PointRecord record{.slice = point.slice,
                             .time_ns = point.time_ns,
                             .slice_begin_ns = point.slice_begin_ns,
                             .track = index(point.track),
                             .row = point.row};
    out.add(std::as_bytes(std::span(&record, 1)));
  }
  out.end();
  out.begin(Section::point_flow);
  for (std::uint32_t i = 0; i < flows.flows.size() && out.goes_on(); ++i) {
    for (std::uint64_t k = flows.points_of(i).count(); k > 0; --k) {
      out.add(std::as_bytes(std::span(&i, 1)));
    }
  }
  out.end();
  out.begin(Section::by_slice);
  for (std::size_t i = 0; i < flows.by_slice.size() && out.goes_on(); ++i) {
    const std::uint64_t point = flows.by_slice[i];
    out.add(std::as_bytes(std::span(&point, 1)));
  }
  out.end();
}

void write_counters(SectionWriter& out, const LargeParts& parts) {
  out.begin(Section::counter_times);
  for (const CounterSeries* series : parts.series) out.add_values(series->time_ns);
  out.end();
  out.begin(Section::counter_values);
  for (const CounterSeries* series : parts.series) out.add_values(series->value);
  out.end();
}

std::span<const std::byte> padding_of(std::size_t bytes) {
  static constexpr std::array<std::byte, kChunkAlignment> kZeros{};
  return std::span(kZeros).first(rounded_up_to(kChunkAlignment, bytes) - bytes);
}

// Heads tell where the columns lie and come before them.
void write_heads(SectionWriter& out, const LargeParts& parts) {
  out.begin(Section::heads);
  std::uint64_t at = 0;
  for (const SliceRow* row : parts.rows) {
    for (const auto& chunk : row->chunks) {
      if (!out.goes_on()) return;
      ChunkHead head = chunk->head();
      head.bytes_at = at;
      out.add(std::as_bytes(std::span(&head, 1)));
      at += rounded_up_to(kChunkAlignment, chunk->bytes().size());
    }
  }
  out.end();
}

// Hashes of columns that are not written yet.
std::vector<std::uint64_t> column_hashes(const SectionWriter& out, const LargeParts& parts) {
  std::vector<std::uint64_t> hashes;
  RunningHash hash;
  std::size_t hashed = 0;
  const auto take_hash = [&] {
    hashes.push_back(hash.value());
    hash.reset();
    hashed = 0;
    yield_to_ui();
  };
  for (const SliceRow* row : parts.rows) {
    for (const auto& chunk : row->chunks) {
      if (!out.goes_on()) return hashes;
      const std::span<const std::byte> bytes = chunk->bytes();
      hash.add(bytes);
      hash.add(padding_of(bytes.size()));
      if (++hashed == kHeadsToHash) take_hash();
    }
  }
  if (hashed > 0) take_hash();
  return hashes;
}

void write_rows(SectionWriter& out, const LargeParts& parts) {
  out.begin(Section::upper);
  for (const SliceRow* row : parts.rows) {
    for (const std::vector<LodSpan>& level : row->upper) out.add_values(level);
  }
  out.end();
  write_heads(out, parts);
  out.begin(Section::column_hashes);
  out.add_values(column_hashes(out, parts));
  out.end();
  out.begin(Section::columns);
  std::size_t written = 0;
  for (const SliceRow* row : parts.rows) {
    for (const auto& chunk : row->chunks) {
      if (!out.goes_on()) return;
      out.add(chunk->bytes());
      out.add(padding_of(chunk->bytes().size()));
      if (++written % kHeadsToHash == 0) yield_to_ui();
    }
  }
  out.end_without_hash();
}

}  // namespace
}  // namespace prepared

bool can_be_prepared(const Timeline& timeline) {
  return timeline.complete && !has_calls_on_disk(timeline);
}

std::uint64_t prepared_bytes(const Timeline& timeline) {
  return kept_bytes(timeline).total();
}

Status write_prepared_copy(const std::filesystem::path& path, const Timeline& timeline,
                           const CopyTexts& texts, CopyProgress& progress) {
  using namespace prepared;
  progress.total_bytes = prepared_bytes(timeline);
  Result<AtomicFile> file = AtomicFile::create(path, FileAccess::owner_only);
  if (!file) return file.error();
  SectionWriter out(*file, progress);
  out.add_section(Section::key, texts.key);
  FieldWriter about;
  about.add_text(texts.path);
  out.add_section(Section::about, about.bytes());
  out.add_section(Section::state, texts.state);
  LargeParts parts;
  FieldWriter model;
  write_model(timeline, model,
              {.row = [&](const SliceRow& row) { parts.rows.push_back(&row); },
               .series = [&](const CounterSeries& series) { parts.series.push_back(&series); }});
  out.add_section(Section::model, model.bytes());
  write_names(out, *timeline.strings);
  write_flows(out, timeline);
  write_counters(out, parts);
  write_rows(out, parts);
  out.begin(Section::totals);
  const std::shared_ptr<const SliceSet> slices = slice_set_of(timeline);
  write_totals(
      *slices, core_count(), progress.cancelled,
      [&out](std::string_view bytes) { out.add(std::as_bytes(std::span(bytes))); },
      most_precomputed_bytes(*slices));
  out.end();
  return out.finish();
}

}  // namespace cinderscope
