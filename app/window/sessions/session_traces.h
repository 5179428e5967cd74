// What opening and saving a session share.
#pragma once

#include <chrono>
#include <future>
#include <optional>

#include "app/session_file/locate.h"
#include "app/session_file/session_file.h"

namespace cinderscope {

class Session;

template <class T>
bool is_ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

// What is remembered of a trace that is loaded; nullopt while it is not.
std::optional<TraceFacts> facts_of(const Session& session);

}  // namespace cinderscope
