#include "app/pack/cut_traces.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "app/convert/open_inputs.h"
#include "formats/all_writers.h"
#include "ingest/base/ascii.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

// Cancels a load once the pack is cancelled.
class Watch {
 public:
  Watch(const std::atomic<bool>& cancelled, LoadContext& context)
      : thread_(started_thread([this, &cancelled, &context] {
          constexpr std::chrono::milliseconds kStep{50};
          std::unique_lock lock(mutex_);
          while (!changed_.wait_for(lock, kStep, [this] { return done_; })) {
            if (cancelled) context.cancel();
          }
        })) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

// "run.spall.gz" as "run.json".
std::string json_name(const std::string& file_name) {
  fs::path name = path_of(name_in_pack(file_name));
  constexpr std::array<std::string_view, 3> kPackings = {".gz", ".zst", ".lz4"};
  for (const std::string_view packing : kPackings) {
    if (ascii_lower(utf8_of(name)).ends_with(packing)) name.replace_extension();
  }
  if (ascii_lower(utf8_of(name.extension())) != ".json") name.replace_extension(".json");
  return utf8_of(name);
}

TypedTime absolute(std::int64_t time_ns) {
  return {.ns = time_ns, .has_unit = true, .note = {}, .text = fmt::to_string(time_ns)};
}

}  // namespace

Status CutTraces::add(std::size_t trace) {
  const std::string& path = request_.input.paths[trace];
  SessionTrace& packed = plan_.session.traces[trace];
  const std::string file_name = shown_file_name(path);
  ConvertRequest part{.out = {}, .from = request_.from, .to = request_.to};
  part.threads = request_.threads;
  part.anonymous = request_.anonymous;
  part.list_names = false;
  if (request_.part == PackPart::view || request_.part == PackPart::selected) {
    const bool selected = request_.part == PackPart::selected;
    if (const auto range = shown_range(request_.input.session, packed.id, selected)) {
      part.from = absolute(range->begin_ns);
      part.to = absolute(range->end_ns);
    } else {
      plan_.notes.push_back(
          fmt::format("{} is packed as a whole: {}.", file_name,
                      selected ? "no range is selected in it" : "its tab shows all of it"));
    }
  }
  LoadOptions options = request_.load;
  options.for_writing = true;
  options.keep = packed.keep;
  if (!packed.ids.empty()) {
    options.names.mapping_path =
        utf8_of(path_of(request_.input.text_path).parent_path() / path_of(packed.ids));
  }
  LoadContext context(options);
  const Watch watch(control_.cancelled, context);
  const std::vector<MergeFile> files = {{path, {}}};
  const Result<OpenedTrace> opened = open_inputs(files, context);
  const auto leave_out = [&](const Error& error) -> Status {
    if (control_.cancelled || error.code == ErrorCode::cancelled) {
      return Error{ErrorCode::cancelled, "Packing was cancelled.", {}};
    }
    plan_.notes.push_back(fmt::format("{} was left out: {}", file_name, error.text));
    packed.path.clear();
    return ok();
  };
  if (!opened) return leave_out(opened.error());
  const ConvertInput input = input_of(*opened, files);
  const Result<PartOptions> meant = part_options(input, part);
  if (!meant) return leave_out(meant.error());

  const std::string name =
      names_.unique("traces/" + (request_.anonymous ? fmt::format("trace-{}.json", trace + 1)
                                                    : json_name(file_name)));
  const fs::path out = scratch_ / path_of(fmt::format("{}", trace)) / path_of(name).filename();
  std::error_code failed;
  fs::create_directories(out.parent_path(), failed);
  part.out = utf8_of(out);
  part.writer = writer_named("json");
  const Result<Converted> converted = convert(input, part, context);
  if (!converted) return leave_out(converted.error());
  if (!converted->losses.lost().empty()) {
    plan_.notes.push_back(converted->losses.sentence(file_name));
  }
  const std::uint64_t bytes = fs::file_size(out, failed);
  packed.path = name + (request_.compress ? ".zst" : "");
  packed.keep = {};
  packed.ids.clear();
  packed.facts.reset();  // those of the part are known once somebody has loaded it
  plan_.files.push_back({utf8_of(out), packed.path, request_.compress, failed ? 0 : bytes, trace});
  ++plan_.traces;
  if (meant->has_range()) {
    ranges_[packed.id] = {.begin_ns = meant->from, .end_ns = meant->to};
  }
  return ok();
}

}  // namespace cinderscope
