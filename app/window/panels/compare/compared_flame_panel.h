// The differential flame graph of a comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "app/questions/latest.h"
#include "app/window/panels/panel.h"
#include "ingest/compare/compared_tree.h"
#include "ingest/search/search_query.h"
#include "render/views/compare/flame.h"

namespace cinderscope {

class ComparePage;
class JsonWriter;

// UI thread only.
class ComparedFlamePanel : public Panel {
 public:
  static constexpr std::string_view kWord = "flame-graph";
  explicit ComparedFlamePanel(ComparePage& page);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Flame graph"; }
  bool poll(Session& session, bool visible) override;
  bool busy() const override { return tree_.busy(); }
  void draw(const PanelFrame& frame, Actions& actions) override;
  bool step_back() override { return view_.step_back(); }

  // For `state`.
  void write_state(JsonWriter& out) const;

 private:
  struct Question {
    std::uint64_t names = 0;  // version of the compared names
    std::uint64_t version_a = 0, version_b = 0;
    ComparedDirection direction = ComparedDirection::callees;
    std::string function;
    bool operator==(const Question&) const = default;
  };
  using Answer = std::shared_ptr<const ComparedTree>;
  void ask();
  const std::function<bool(std::uint32_t)>* found();

  ComparePage& page_;
  ComparedFlameView view_;
  Latest<Question, Answer> tree_;
  std::uint64_t version_ = 0;
  struct FoundNames {
    std::string text;
    std::uint64_t names = 0;
    SearchQuery query;
    std::unordered_map<std::uint32_t, bool> tested;
    std::function<bool(std::uint32_t)> test;
  };
  FoundNames found_;
};

}  // namespace cinderscope
