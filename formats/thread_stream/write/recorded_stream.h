// What is told of a stream, kept until it is written: texts have numbers of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/thread_stream/write/stream_sink.h"

namespace cinderscope::thread_stream {

// Names have to stay until it is written.
class RecordedStream final : public StreamSink {
 public:
  void enter(std::uint64_t tick, StringId name_id, std::string_view name,
             std::string_view category) override {
    site(Step::enter, tick, name_id, name, category);
  }
  void exit(std::uint64_t tick) override { add(Step::exit), add(tick); }
  void instant(std::uint64_t tick, StringId name_id, std::string_view name,
               std::string_view category) override {
    site(Step::instant, tick, name_id, name, category);
  }
  void flow_point(std::uint64_t tick, std::string_view name, std::uint16_t place,
                  std::uint64_t flow) override;
  void begin_arguments() override { add(Step::begin_arguments); }
  void argument(std::string_view key, ArgType type, std::string_view bytes) override;
  void stack(std::span<const std::string> innermost_first) override;
  void end_arguments(bool cut, RecordOffset record) override {
    add(Step::end_arguments), add(cut), add(record);
  }
  void end_record() override { add(Step::end_record); }
  // Here comes what an earlier piece left over.
  void left_over() { add(Step::left_over); }

  std::size_t bytes() const { return steps_.size(); }
  void clear_steps() { steps_.clear(); }  // what has been written
  // The same is told to `to`.
  void write(DirectSink& to, const std::function<void()>& left_over) const;
  void clear();

 private:
  enum class Step : std::uint8_t {
    enter,
    exit,
    instant,
    flow_point,
    begin_arguments,
    argument,
    stack,
    end_arguments,
    end_record,
    left_over
  };
  struct Site {
    StringId name_id;
    std::string_view name;
    std::uint32_t category;
  };

  template <class Value>
  void add(Value value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    steps_.append(bytes, sizeof value);
  }
  void add_bytes(std::string_view bytes) {
    add(static_cast<std::uint32_t>(bytes.size()));
    steps_ += bytes;
  }
  std::uint32_t text(std::string_view text);
  void site(Step step, std::uint64_t tick, StringId name_id, std::string_view name,
            std::string_view category);

  std::string steps_;
  std::vector<std::string_view> texts_;
  std::map<std::string, std::uint32_t, std::less<>> number_of_text_;
  std::vector<Site> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_site_;  // by name and category
};

}  // namespace cinderscope::thread_stream
