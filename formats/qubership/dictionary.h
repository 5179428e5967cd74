// Words of one recording: methods and parameter names share one space of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/stream_store.h"
#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

// Keeps where the words lie, not the words: 16 bytes each. After finish() any thread.
class Dictionary {
 public:
  // A file of words by position, which goes on where the one before it ended, or of pairs of id and
  // word, of which the last counts. What is cut off at the end is reported.
  void add(const StreamStore& store, const StreamFile& file, Diagnostics& problems);
  // After the last file; before that nothing can be asked.
  void finish();

  std::uint64_t size() const { return words_.size(); }
  std::uint64_t kept_bytes() const { return words_.capacity() * sizeof(Word); }
  std::optional<WireText> word(const StreamStore& store, std::uint32_t id) const;
  // The word, "(empty)", or "#id" for what is not there; a very long one is cut.
  std::string text(const StreamStore& store, std::uint32_t id) const;
  std::optional<std::uint32_t> find(const StreamStore& store, std::string_view ascii) const;

 private:
  struct Word {
    std::uint32_t id = 0;
    std::uint32_t file = 0;  // in the store
    std::uint64_t at = 0;    // in the file
  };
  std::optional<WireText> text_of(const StreamStore& store, const Word& word) const;

  std::vector<Word> words_;  // by id
  std::uint32_t next_id_ = 0;
};

}  // namespace cinderscope::qubership
