#include "formats/spall/write/thread_writer.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/part/cut_text.h"
#include "ingest/part/kinds_lost.h"

namespace cinderscope::spall {
namespace {

constexpr std::size_t kMostWaitingBytes = 16 << 20;
}  // namespace

std::string fitting_name(std::string_view name, LossReport& losses) {
  if (name.size() > kMostTextBytes) losses.count(loss::kCutNames);
  return cut_text(name, kMostTextBytes);
}

ThreadBuffers buffers_of(const SpallThread& thread, OutputFile& file) {
  ThreadBuffers buffers(thread.pid, thread.tid);
  if (!thread.process_name.empty()) buffers.name_process(thread.process_name);
  if (!thread.name.empty()) buffers.name_thread(thread.name);
  buffers.write_through(&file);
  return buffers;
}

void count_cut_names(SpallOutput& out,
                     std::span<const std::pair<StringId, RecordOffset>> cut_names) {
  for (const auto& [name, record] : cut_names) {
    if (out.cut_names.insert(name).second) out.losses.count(loss::kCutNames, 1, record);
  }
}

ThreadWriter::ThreadWriter(SpallOutput& out, SpallThread thread,
                           std::function<std::uint32_t(std::uint32_t)> further_tid)
    : out_(out),
      thread_(std::move(thread)),
      further_tid_(std::move(further_tid)),
      batches_(
          out.part.context().jobs(),
          [&out](std::span<PartSlice> slices, BeginRecords& records) {
            make_begin_records(out.part, out.clock, slices, records);
          },
          [this](std::span<PartSlice> slices, BeginRecords& records) { take(slices, records); }) {}

Status ThreadWriter::write(const PartTrack& track) {
  Row& first = row_of(0);
  first.buffers.write_through(&out_.file);
  const Result<bool> read = out_.part.read(track, *this);
  if (!read) return read.error();
  batches_.flush();
  if (error_) return *error_;
  if (!*read && out_.file.ok()) {
    return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
  }
  for (const auto& row : rows_) {
    row->nested.finish();
    row->buffers.finish(out_.file, out_.spill);
  }
  out_.spill.clear();
  return ok();
}

ThreadWriter::Row& ThreadWriter::row_of(std::uint32_t number) {
  while (number >= rows_.size()) {
    const auto row = static_cast<std::uint32_t>(rows_.size());
    const std::uint32_t tid = row == 0 ? thread_.tid : further_tid_(row + 1);
    rows_.push_back(std::make_unique<Row>(*this, tid));
    ThreadBuffers& buffers = rows_.back()->buffers;
    if (row == 0 && !thread_.process_name.empty()) buffers.name_process(thread_.process_name);
    if (row == 0) {
      if (!thread_.name.empty()) buffers.name_thread(thread_.name);
      continue;
    }
    const std::string ending = fmt::format(" (overlap {})", row + 1);
    const std::string name = thread_.name.empty() ? fmt::to_string(thread_.tid) : thread_.name;
    buffers.name_thread(cut_text(name, kMostTextBytes - ending.size()) + ending);
  }
  return *rows_[number];
}

void ThreadWriter::take(std::span<const PartSlice> slices, BeginRecords& records) {
  if (error_) return;
  out_.losses.add(records.losses);
  count_cut_names(out_, records.cut_names);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    Row& row = row_of(slices[i].overlap_row);
    const std::size_t before = row.buffers.pending_bytes();
    row.nested.add(slices[i], records.record(i));
    if (slices[i].overlap_row == 0) continue;
    waiting_bytes_ += row.buffers.pending_bytes() - before;
    if (waiting_bytes_ >= kMostWaitingBytes) spill_rows();
  }
}

void ThreadWriter::spill_rows() {
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    if (const Status spilled = rows_[i]->buffers.spill(out_.spill); !spilled) {
      error_ = spilled.error();
    }
  }
  waiting_bytes_ = 0;
}

void ThreadWriter::Row::begin(const PartSlice& slice, std::string_view record) {
  std::uint64_t tick = 0;
  of.out_.clock.to_tick(slice.begin_ns, tick);  // the record has it
  buffers.begin(tick, record);
}

void ThreadWriter::Row::end(std::int64_t time) {
  buffers.end(of.tick(time));
}

std::uint64_t ThreadWriter::tick(std::int64_t time) {
  std::uint64_t tick = 0;
  if (out_.clock.to_tick(time, tick)) out_.losses.count(kClampedTimes);
  return tick;
}

}  // namespace cinderscope::spall
