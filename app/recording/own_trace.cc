#include "app/recording/own_trace.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <functional>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "app/recording/recorder_path.h"
#include "formats/thread_stream/recorder/tsd.h"
#include "ingest/base/ascii.h"
#include "ingest/base/self_trace.h"

#ifndef TSD_DISABLE
// The recorder is compiled to ask this for its environment: TSD_PATH and the like are meant for
// programs that are looked at. Were they heeded here, the viewer would write over the file to show.
extern "C" char* cinderscope_no_variable(const char*) {
  return nullptr;
}
#endif

namespace cinderscope {
namespace {

#ifndef TSD_DISABLE

// By the address of the name, a literal. Never destroyed: threads may end after main.
tsd_site& site_of(const char* name) {
  struct Known {
    const char* name;
    tsd_site* site;
  };
  thread_local std::array<Known, 256> known;  // those met last, by some bits of the address
  static_assert(std::is_trivially_destructible_v<decltype(known)>);
  Known& met = known[std::hash<const char*>()(name) / alignof(void*) % known.size()];
  if (met.name == name) return *met.site;
  struct Sites {
    std::mutex mutex;
    std::unordered_map<const char*, tsd_site*> by_name;
    std::deque<tsd_site> all;
  };
  static auto* const sites = new Sites;
  const std::lock_guard lock(sites->mutex);
  tsd_site*& shared = sites->by_name[name];
  if (shared == nullptr) shared = &sites->all.emplace_back(tsd_site{.name = name});
  met = {name, shared};
  return *shared;
}

void attach_thread() {
  thread_local bool attached = false;
  if (!std::exchange(attached, true)) tsd_thread_attach(self_trace::thread_name());
}

constexpr self_trace::Taker kRecorder{
    .begin =
        [](const char* name) {
          attach_thread();
          tsd_enter(&site_of(name));
        },
    .end =
        [](const char* argument, std::int64_t value) {
          tsd_leave();
          if (argument != nullptr) tsd_argument_behind(argument, TSD_I64, &value, sizeof value);
        },
    .count =
        [](const char* name, double value) {
          attach_thread();
          tsd_counter(&site_of(name), value);
        },
};

Status start_recorder(const std::string& path) {
  const std::string text = as_recorder_path(path);
  tsd_config config;
  tsd_config_default(&config);
  config.path = text.c_str();
  config.start = TSD_NOW;
  if (tsd_init(&config) != 0) {
    return Error{ErrorCode::cannot_read, fmt::format("\"{}\" cannot be written.", path), {}};
  }
  self_trace::set_taker(&kRecorder);
  return ok();
}

void stop_recorder() {
  self_trace::set_taker(nullptr);
  tsd_stop();
}

#else

Status start_recorder(const std::string&) {
  return Error{ErrorCode::cannot_read, "Thread streams are recorded on Linux only.",
               "Name a file that ends in .json."};
}

void stop_recorder() {}

#endif

}  // namespace

Result<OwnTrace> OwnTrace::start(const std::string& path) {
  const bool stream = ascii_lower(path).ends_with(".tsd");
  Result<SelfTraceFile> json = SelfTraceFile::start(stream ? std::string() : path);
  if (!json) return json.error();
  OwnTrace trace(std::move(*json));
  if (!stream) return trace;
  if (const Status started = start_recorder(path); !started) return started.error();
  trace.stream_ = true;
  return trace;
}

OwnTrace::~OwnTrace() {
  if (stream_) stop_recorder();
}

}  // namespace cinderscope
