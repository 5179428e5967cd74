#include "formats/spall/write/thread_writer.h"

#include <fmt/format.h>

#include <utility>

#include "formats/spall/spall_clock.h"
#include "ingest/part/cut_text.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/part_text.h"

namespace cinderscope::spall {
namespace {

constexpr std::size_t kMostWaitingBytes = 16 << 20;
constexpr std::uint64_t kMostTicks = kMostNs;  // at a nanosecond a tick
constexpr LossKind kClampedTimes{"clamped_times", "time", "times", "{} were clamped"};

// In microseconds, as Google JSON has it.
std::string microseconds(std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t all =
      negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  std::string text = fmt::format("{}{}", negative ? "-" : "", all / 1000);
  if (all % 1000 == 0) return text;
  text += fmt::format(".{:03}", all % 1000);
  while (text.back() == '0') text.pop_back();
  return text;
}

// As they stand, where they are no object or were cut: a file that was written once is written so
// again.
std::string args_text(const RecordText& text) {
  const std::vector<ArgsNode>& nodes = text.args.nodes;
  const bool alone = text.facts.empty() && text.texts.empty() && text.stack.empty();
  const bool is_object = !nodes.empty() && nodes.front().kind == ArgsKind::object;
  if (alone && (!is_object || text.args.raw.ends_with("…"))) return text.args.raw;
  return args_json(text);
}

}  // namespace

std::string fitting_name(std::string_view name, LossReport& losses) {
  if (name.size() > kMostTextBytes) losses.count(loss::kCutNames);
  return cut_text(name, kMostTextBytes);
}

ThreadWriter::ThreadWriter(SpallOutput& out, SpallThread thread,
                           std::function<std::uint32_t(std::uint32_t)> further_tid)
    : out_(out),
      thread_(std::move(thread)),
      further_tid_(std::move(further_tid)),
      texts_(out.part,
             [this](const PartSlice& slice, const RecordText& text) { take(slice, text); }) {}

Status ThreadWriter::write(const PartTrack& track) {
  Row& first = row_of(0);
  first.buffers.write_through(&out_.file);
  const Result<bool> read = out_.part.read(track, *this);
  if (!read) return read.error();
  texts_.flush();
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

void ThreadWriter::take(const PartSlice& slice, const RecordText& text) {
  if (error_) return;
  Row& row = row_of(slice.overlap_row);
  const std::size_t before = row.buffers.pending_bytes();
  row.nested.add(slice, text);
  if (slice.overlap_row == 0) return;
  waiting_bytes_ += row.buffers.pending_bytes() - before;
  if (waiting_bytes_ < kMostWaitingBytes) return;
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    if (const Status spilled = rows_[i]->buffers.spill(out_.spill); !spilled) {
      error_ = spilled.error();
    }
  }
  waiting_bytes_ = 0;
}

void ThreadWriter::Row::begin(const PartSlice& slice, const RecordText& text) {
  LossReport& losses = of.out_.losses;
  if (!text.category.empty()) losses.count(loss::kCategories, 1, slice.record);
  buffers.begin(of.tick(slice.begin_ns), of.name_of(slice), of.args_of(slice, text));
  losses.count_written_slice(slice.is_cut());
}

// Readers clamp what is beyond; so it is the same when it is written again.
std::uint64_t ThreadWriter::tick(std::int64_t time) {
  const auto ticks = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(out_.first_time);
  if (ticks <= kMostTicks) return ticks;
  out_.losses.count(kClampedTimes);
  return kMostTicks;
}

std::string_view ThreadWriter::name_of(const PartSlice& slice) {
  if (slice.name.size() <= kMostTextBytes) return slice.name;
  const auto [name, is_new] = short_names_.try_emplace(slice.name_id);
  if (is_new) name->second = cut_text(slice.name, kMostTextBytes);
  if (out_.cut_names.insert(slice.name_id).second) {
    out_.losses.count(loss::kCutNames, 1, slice.record);
  }
  return name->second;
}

std::string ThreadWriter::args_of(const PartSlice& slice, const RecordText& text) {
  std::string args = out_.part.options().args ? args_text(text) : std::string();
  if (slice.is_cut()) {
    const std::string mark =
        fmt::format("{{\"cut\":{{\"ts\":{},\"dur\":{}}}",
                    microseconds(slice.whole_begin_ns - out_.part.shift_ns() - out_.first_time),
                    microseconds(slice.whole_end_ns - slice.whole_begin_ns));
    const bool is_object = args.starts_with('{') && args.ends_with('}');
    if (args.empty()) {
      args = mark + "}";
    } else if (is_object && mark.size() + args.size() <= kMostTextBytes) {
      args = mark + "," + args.substr(1);
    }
  }
  if (args.size() <= kMostTextBytes) return args;
  out_.losses.count(loss::kCutArguments, 1, slice.record);
  return cut_text(args, kMostTextBytes);
}

}  // namespace cinderscope::spall
