// What a Qubership agent writes to its dump folder, piece by piece, made up at random.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cinderscope {

// Threads call, note values and statements; traces, calls and values roll over to further files;
// words come before or after what uses them, calls before or after their traces.
class QubershipAgent {
 public:
  enum class Packing : std::uint8_t {
    plain,
    members,  // a gzip member a piece, as the collector writes them
    flushed,  // one gzip member that is flushed, as agents write them
  };

  // A trace rolls over after so many bytes, other streams sooner.
  QubershipAgent(std::uint64_t seed, Packing packing, std::size_t roll_bytes = 1500);
  ~QubershipAgent();

  // Goes on for about so many events.
  void run(std::size_t events);
  // What came since the last time goes to the files below the folder; of the last piece only some
  // bytes where it is `cut`, and the rest comes with the next ones.
  void write(const std::filesystem::path& folder, bool cut);

 private:
  struct Thread;
  struct Rolled;  // a stream's file that is written to
  class Packer;

  std::size_t any(std::size_t below) { return random_() % below; }
  void put(const std::string& stream, std::string_view bytes, std::size_t roll_after = SIZE_MAX);
  std::uint32_t word(const std::string& text);
  std::pair<std::uint32_t, std::uint32_t> value(const std::string& stream, const std::string& text);
  void event(Thread& thread, int kind, const std::string& rest);
  void tag(Thread& thread, const std::string& name, const std::string& text, int kind);
  void step(Thread& thread);
  void flush(Thread& thread);
  void end_root(Thread& thread);
  void end_words();

  std::mt19937_64 random_;
  Packing packing_;
  std::size_t roll_bytes_;
  std::int64_t now_ms_;
  std::vector<Thread> threads_;
  std::map<std::string, std::uint32_t> words_;
  std::string late_words_;
  std::map<std::string, Rolled> files_;
  std::int64_t call_ms_ = 0, pause_ms_ = 0;
  std::vector<std::string> call_threads_;
  std::vector<std::pair<std::string, std::string>>
      pieces_;  // file and packed bytes, not written yet
};

}  // namespace cinderscope
