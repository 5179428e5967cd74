// A time zone for as long as a test needs it.
#pragma once

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace cinderscope {

class WithTimeZone {
 public:
  explicit WithTimeZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", zone, 1);
    tzset();
  }
  ~WithTimeZone() {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
    tzset();
  }
  WithTimeZone(const WithTimeZone&) = delete;
  WithTimeZone& operator=(const WithTimeZone&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace cinderscope
