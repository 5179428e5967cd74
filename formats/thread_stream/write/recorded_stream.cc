#include "formats/thread_stream/write/recorded_stream.h"

#include <cstring>

namespace cinderscope::thread_stream {
namespace {

class StepReader {
 public:
  explicit StepReader(std::string_view steps) : steps_(steps) {}

  bool at_end() const { return steps_.empty(); }
  template <class Value>
  Value take() {
    Value value;
    std::memcpy(&value, steps_.data(), sizeof value);
    steps_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view take_bytes() {
    const auto size = take<std::uint32_t>();
    const std::string_view bytes = steps_.substr(0, size);
    steps_.remove_prefix(size);
    return bytes;
  }

 private:
  std::string_view steps_;
};

}  // namespace

void RecordedStream::flow_point(std::uint64_t tick, std::string_view name, std::uint16_t place,
                                std::uint64_t flow) {
  const std::uint32_t number = text(name);
  add(Step::flow_point), add(tick), add(number), add(place), add(flow);
}

void RecordedStream::argument(std::string_view key, ArgType type, std::string_view bytes) {
  const std::uint32_t number = text(key);
  add(Step::argument), add(number), add(type), add_bytes(bytes);
}

void RecordedStream::stack(std::span<const std::string> innermost_first) {
  add(Step::stack), add(static_cast<std::uint32_t>(innermost_first.size()));
  for (const std::string& frame : innermost_first) add(text(frame));
}

std::uint32_t RecordedStream::text(std::string_view text) {
  const auto known = number_of_text_.find(text);
  if (known != number_of_text_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(number_of_text_.emplace(text, number).first->first);
  return number;
}

void RecordedStream::site(Step step, std::uint64_t tick, StringId name_id, std::string_view name,
                          std::string_view category) {
  const std::uint32_t category_number = text(category);
  const std::uint64_t key = std::uint64_t{index(name_id)} << 32 | category_number;
  const auto [known, is_new] =
      number_of_site_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back({name_id, name, category_number});
  add(step), add(tick), add(known->second);
}

void RecordedStream::write(DirectSink& to, const std::function<void()>& left_over) const {
  // The file's numbers are given as they are first needed, as if there had been no record.
  std::vector<std::uint32_t> sites(sites_.size()), keys(texts_.size());
  const auto site_of = [&](std::uint32_t number) {
    const Site& of = sites_[number];
    std::uint32_t& site = sites[number];
    if (site == 0) site = to.tables().site(of.name_id, of.name, texts_[of.category]);
    return site;
  };
  std::vector<std::string> frames;
  for (StepReader steps(steps_); !steps.at_end();) {
    switch (steps.take<Step>()) {
      case Step::enter: {
        const auto tick = steps.take<std::uint64_t>();
        to.stream().enter(tick, site_of(steps.take<std::uint32_t>()));
        break;
      }
      case Step::exit:
        to.exit(steps.take<std::uint64_t>());
        break;
      case Step::instant: {
        const auto tick = steps.take<std::uint64_t>();
        to.stream().instant(tick, site_of(steps.take<std::uint32_t>()));
        break;
      }
      case Step::flow_point: {
        const auto tick = steps.take<std::uint64_t>();
        const auto name = steps.take<std::uint32_t>();
        const auto place = steps.take<std::uint16_t>();
        to.flow_point(tick, texts_[name], place, steps.take<std::uint64_t>());
        break;
      }
      case Step::begin_arguments:
        to.begin_arguments();
        break;
      case Step::argument: {
        const auto number = steps.take<std::uint32_t>();
        const auto type = steps.take<ArgType>();
        std::uint32_t& key = keys[number];
        if (key == 0) key = to.tables().string(texts_[number]);
        to.argument(key, type, steps.take_bytes());
        break;
      }
      case Step::stack:
        frames.clear();
        for (auto left = steps.take<std::uint32_t>(); left > 0; --left) {
          frames.emplace_back(texts_[steps.take<std::uint32_t>()]);
        }
        to.stack(frames);
        break;
      case Step::end_arguments: {
        const bool cut = steps.take<bool>();
        to.end_arguments(cut, steps.take<RecordOffset>());
        break;
      }
      case Step::end_record:
        to.end_record();
        break;
      case Step::left_over:
        left_over();
        break;
    }
  }
}

void RecordedStream::clear() {
  steps_.clear();
  texts_.clear();
  number_of_text_.clear();
  sites_.clear();
  number_of_site_.clear();
}

}  // namespace cinderscope::thread_stream
