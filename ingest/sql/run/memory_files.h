// SQLite's temporary files in memory, counted against the budget of the run. No file of the disk
// can be opened through it.
#pragma once

#include <memory>
#include <string>

#include "ingest/sql/run/memory_budget.h"

struct sqlite3_vfs;

namespace cinderscope {

// Outlives the connection that was opened with its name.
class MemoryFiles {
 public:
  // Reading and writing fail once the budget is stopped, so that a sort of much data ends soon.
  explicit MemoryFiles(MemoryBudget& budget);
  ~MemoryFiles();
  MemoryFiles(const MemoryFiles&) = delete;
  MemoryFiles& operator=(const MemoryFiles&) = delete;

  const char* name() const { return name_.c_str(); }
  MemoryBudget& budget() { return budget_; }

 private:
  MemoryBudget& budget_;
  std::string name_;
  std::unique_ptr<sqlite3_vfs> vfs_;
};

}  // namespace cinderscope
