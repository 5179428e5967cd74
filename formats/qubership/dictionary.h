// Words of one recording: methods and parameter names share one space of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/go_on.h"
#include "formats/qubership/growing/read_on.h"
#include "formats/qubership/stream_store.h"
#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

// Keeps where the words lie, not the words, and that only of some: 16 bytes for each run of words
// whose numbers follow each other. After finish() any thread.
class Dictionary {
 public:
  // A file of words by position, which goes on where the one before it ended, or of pairs of id and
  // word, of which the last counts. False once `go_on` said no.
  bool add(const StreamStore& store, const StreamFile& file, ReadOn& from, AtEnd end,
           Diagnostics& problems, const GoOn& go_on);
  // After the last file; before that nothing can be asked. More may be added, and then it is to be
  // called again.
  void finish(const StreamStore& store);

  std::uint64_t size() const { return size_; }  // ids that have a word
  std::uint64_t kept_bytes() const { return runs_.capacity() * sizeof(Run); }
  std::optional<WireText> word(const StreamStore& store, std::uint32_t id) const;
  // The word, "(empty)", or "#id" for what is not there; a very long one is cut.
  std::string text(const StreamStore& store, std::uint32_t id) const;
  // The lowest id of that word.
  std::optional<std::uint32_t> find(const StreamStore& store, std::string_view ascii) const;

 private:
  // Words behind each other in a file and in number: a few, which are found by going through them,
  // or any number of empty ones.
  struct Run {
    std::uint64_t place = 0;  // of the first in the store, with its id where the file has ids
    std::uint32_t first = 0;  // id
    std::uint32_t count : 31 = 0;
    std::uint32_t empty : 1 = 0;
    std::uint64_t end() const { return std::uint64_t{first} + count; }
  };
  static_assert(sizeof(Run) == 16);

  void add_word(std::uint32_t id, bool empty, std::uint64_t place, bool begins_file);
  // Sorts the runs by id, without words that a later one replaces.
  void keep_last(const StreamStore& store);
  static Run part_of(const StreamStore& store, const Run& run, std::uint64_t from,
                     std::uint64_t to);

  std::vector<Run> runs_;  // as they came; by id once finished
  std::size_t tidy_at_ = std::size_t{1} << 16;
  std::uint64_t size_ = 0;
  std::uint32_t next_id_ = 0;
};

}  // namespace cinderscope::qubership
