// The tables of a thread stream file while it is written: strings and sites get their numbers as
// they are met.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "formats/thread_stream/wire.h"
#include "ingest/model/ids.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/output/output_file.h"

namespace cinderscope::thread_stream {

// What a THREAD entry says.
struct WrittenThread {
  std::uint32_t stream = 0;
  std::string name;
  std::uint64_t tid = 0, first_tick = 0, last_tick = 0, records = 0;
};

class FileTables {
 public:
  FileTables(OutputFile& out, LossReport& losses) : out_(out), losses_(losses) {}

  // 0: the empty text.
  std::uint32_t string(std::string_view text);
  // Of a name and a category; equal ids are equal names.
  std::uint32_t site(StringId name_id, std::string_view name, std::string_view category);
  std::uint32_t site(std::string_view name, std::string_view category);

  void fact(std::string_view key, std::string_view value);
  void thread(const WrittenThread& entry);
  // The tick 0 is this time.
  void clock(std::int64_t ns);
  // Writes what has come together, if it is much.
  void write_much();
  void finish();  // with the end

 private:
  std::size_t begin_entry(Tag tag);
  void end_entry(std::size_t at);
  void write();

  OutputFile& out_;
  LossReport& losses_;
  std::string entries_;
  std::uint32_t entry_count_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> strings_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sites_;  // by name, category
  std::unordered_map<StringId, std::uint32_t> string_of_name_;
};

}  // namespace cinderscope::thread_stream
