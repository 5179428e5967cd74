#include "formats/flow/flow_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/base/self_trace.h"

namespace cinderscope::flow {
namespace {

// Hands out the builder's lanes: no two files get the same.
class Lanes {
 public:
  explicit Lanes(TimelineBuilder& out) : out_(out) {}

  // Any thread.
  std::pair<ThreadId, TrackWriter*> open(const ThreadFile& file, std::string_view tid) {
    const std::lock_guard lock(mutex_);
    const std::string wanted(tid.empty() ? std::string_view(file.tid) : tid);
    ThreadId id = out_.thread(process_, wanted);
    if (!used_.insert(index(id)).second) {
      id = out_.thread(process_, fmt::format("{} ({})", wanted, file.name));
      used_.insert(index(id));
    }
    out_.thread_facts(id).sort_index = file.order;
    return {id, &out_.slices(id)};
  }
  ProcessId process() const { return process_; }

 private:
  TimelineBuilder& out_;
  ProcessId process_ = out_.process("-");
  std::mutex mutex_;
  std::unordered_set<std::uint32_t> used_;
};

// One file on its way.
class FileLoad {
 public:
  FileLoad(const ThreadFile& file, std::optional<Input> opened, const Input* input,
           MethodTable& methods, Lanes& lanes)
      : file_(file), opened_(std::move(opened)), input_(opened_ ? &*opened_ : input) {
    layout_ = layout_of_head(input_->head()).value_or(Layout::binary);
    if (layout_ == Layout::name_ids) {
      // Which of two variants it is only the whole file tells.
      if (const Result<Pin> all = input_->pin_all()) layout_ = layout_of(all->bytes());
    }
    // The file's own thread is there even if nothing happens in it; others come up as they do.
    const bool own = layout_ == Layout::empty || layout_ == Layout::binary ||
                     (layout_ == Layout::json && file.tid != "-");
    if (own) own_lane_ = lanes.open(file, {});
    reader_ = make_reader(layout_, methods, [this, &lanes](std::string_view tid) -> TrackWriter& {
      if (tid.empty() && own_lane_) return *own_lane_->second;
      return *lanes.open(file_, tid).second;
    });
  }

  // Reads on for about so many bytes.
  void read(std::uint64_t window_bytes) {
    const SelfTraceMark mark("decode a thread");
    const std::uint64_t wanted = at_ + window_bytes + ahead_bytes_;
    const std::uint64_t there = std::min(wanted, input_->wait_for(wanted));
    const Result<Pin> pin = input_->pin(at_, there - std::min(at_, there));
    const Pin bytes = pin ? *pin : Pin(at_, {});
    const bool last = bytes.end() < wanted;
    const std::uint64_t end = last ? bytes.end() : at_ + window_bytes;
    const std::uint64_t before = at_;
    at_ = reader_->read(bytes, at_, end, last);
    over_ = last || reader_->over();
    // An event that is longer than what is there of it: more at once.
    ahead_bytes_ = at_ == before ? ahead_bytes_ * 2 : kAheadBytes;
    input_->let_go(over_ ? UINT64_MAX : at_);
    if (over_) reader_->finish();
  }

  bool over() const { return over_; }
  std::uint64_t read_bytes() const { return at_; }
  Layout layout() const { return layout_; }
  const ThreadFile& file() const { return file_; }
  const EventReader& reader() const { return *reader_; }
  const Input& input() const { return *input_; }
  // The thread of a file in which nothing happened.
  std::optional<ThreadId> empty_thread() const {
    if (!own_lane_ || !own_lane_->second->empty()) return std::nullopt;
    return own_lane_->first;
  }

 private:
  static constexpr std::uint64_t kAheadBytes = 4096;

  const ThreadFile& file_;
  std::optional<Input> opened_;
  const Input* input_;
  Layout layout_ = Layout::binary;
  std::optional<std::pair<ThreadId, TrackWriter*>> own_lane_;
  std::unique_ptr<EventReader> reader_;
  std::uint64_t at_ = 0, ahead_bytes_ = kAheadBytes;
  bool over_ = false;
};

std::uint64_t bytes_of_all(const Input& folder, const std::vector<ThreadFile>& files) {
  std::uint64_t sum = 0;
  for (const ThreadFile& file : files) {
    std::error_code unknown;
    const std::uintmax_t size =
        std::filesystem::file_size(folder.path() / path_of(file.name), unknown);
    if (!unknown) sum += size;
  }
  return sum;
}

}  // namespace

LoadedFiles load_files(const Input& input, const std::vector<ThreadFile>& files,
                       MethodTable& methods, TimelineBuilder& out, LoadContext& context) {
  LoadedFiles loaded;
  Lanes lanes(out);
  const bool is_folder = input.is_folder();
  if (is_folder) {
    out.process_facts(lanes.process()).name = out.intern(input.name());
    context.set_total_bytes(bytes_of_all(input, files));
  } else if (input.complete()) {
    context.set_total_bytes(input.size_bytes());
  }
  std::vector<std::unique_ptr<FileLoad>> loads;
  const std::size_t most_open = std::size_t{2} * context.jobs();
  std::size_t next_file = 0;
  std::uint64_t ended_bytes = 0;
  while (next_file < files.size() || !loads.empty()) {
    while (next_file < files.size() && loads.size() < most_open) {
      const ThreadFile& file = files[next_file++];
      std::optional<Input> opened;
      if (is_folder) {
        Result<Input> part = input.companion(file.name);
        if (!part || part->is_folder()) {
          out.diagnostics().count(diagnostic::kUnreadableFile, kNoOffset,
                                  part ? file.name + " is a folder." : part.error().text);
          continue;
        }
        opened = std::move(*part);
      }
      loads.push_back(std::make_unique<FileLoad>(file, std::move(opened), &input, methods, lanes));
    }
    parallel_for(loads.size(), context.jobs(),
                 [&](std::size_t i) { loads[i]->read(context.window_bytes()); });
    std::uint64_t done_bytes = ended_bytes;
    for (const auto& load : loads) {
      done_bytes += load->read_bytes();
      if (!load->over()) continue;
      const EventReader& reader = load->reader();
      out.diagnostics().merge(reader.diagnostics(), is_folder ? load->file().name : "");
      out.count_records(reader.records());
      loaded.unknown_calls += reader.unknown_calls();
      loaded.size.stored_bytes += load->input().stored_bytes();
      loaded.size.inflated_bytes += load->input().size_bytes();
      if (is_folder) out.diagnostics().merge(load->input().damage(), load->file().name);
      if (std::ranges::find(loaded.layouts, load->layout()) == loaded.layouts.end()) {
        loaded.layouts.push_back(load->layout());
      }
      if (const auto thread = load->empty_thread()) out.adopt(*thread, {}, {}, {});
      ended_bytes += load->read_bytes();
    }
    std::erase_if(loads, [](const auto& load) { return load->over(); });
    if (!context.tick(out, done_bytes)) {
      loaded.cancelled = true;
      return loaded;
    }
  }
  return loaded;
}

}  // namespace cinderscope::flow
