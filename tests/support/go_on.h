// For questions that nobody stops.
#pragma once

#include <atomic>

namespace cinderscope::test {

inline const std::atomic<bool> kGoOn{false};

}  // namespace cinderscope::test
