// What a --play script acts upon.
#pragma once

#include <string>
#include <string_view>

#include "app/script/input_event.h"
#include "ingest/base/result.h"

namespace cinderscope {

class ScriptTarget {
 public:
  virtual ~ScriptTarget() = default;
  virtual Status run_command(std::string_view name, std::string_view arguments) = 0;
  virtual InputQueue& input() = 0;
  virtual bool find(std::string_view name) = 0;  // shows and selects the first slice of that name
  virtual void save_screenshot(std::string path) = 0;  // of a later frame
  virtual Status save_state(const std::string& path) = 0;
  virtual void quit() = 0;
  virtual bool loading() const = 0;
  virtual bool querying() const = 0;  // a query runs, in any tab
  virtual bool saving() const = 0;    // a file is being written
  // Why the file of a command was not written after all; once. Empty: nothing failed so far.
  virtual std::string take_failed_save() = 0;
  virtual bool comparing() const = 0;  // some comparison is to come or being worked out
  virtual bool searching() const = 0;  // something may still be found, in any tab
};

}  // namespace cinderscope
