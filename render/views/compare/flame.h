// The differential flame graph: boxes as wide as both sides take, coloured by how they changed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/compare/compared_tree.h"
#include "render/base/actions.h"
#include "render/base/change_colours.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/layout/compared_flame_layout.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

enum class ComparedDirection : std::uint8_t { callees, callers, function };

struct ComparedFlameFrame {
  const Theme& theme;
  Rect area;
  const ComparedTree* tree = nullptr;  // null while it is being added up for the first time
  std::uint64_t version = 0;           // grows when the tree changes
  const std::vector<std::string>* labels = nullptr;  // by compared name
  TimeAxis axis = TimeAxis::nanoseconds;
  ComparedDirection direction = ComparedDirection::callees;
  std::string_view function;  // what the third direction is about; empty: it cannot be chosen
  TreeWidth width = TreeWidth::mean;
  CallWeight weight = CallWeight::time;
  bool only_calls = false;  // durations do not compare
  bool by_self = false;
  double min = 0;  // a node whose larger side is below it is drawn as the same
  std::optional<std::uint32_t> selected;                           // a compared name: outlined
  const std::function<bool(std::uint32_t name)>* found = nullptr;  // the search; null: none
  bool working = false;
  std::string_view note;  // what is not counted
};

class ComparedFlameView {
 public:
  // Runs "flame-graph", "flame-width", "flame-by-self", "compare-select"; reveals calls.
  void draw(const ComparedFlameFrame& frame, Actions& actions);
  bool step_back();  // Escape: shows all again
  std::size_t drawn_boxes() const { return boxes_; }

 private:
  void update(const ComparedFlameFrame& frame, float width_px);
  void draw_head(const ComparedFlameFrame& frame, const Pen& pen, const Rect& head,
                 Actions& actions);
  void draw_graph(const ComparedFlameFrame& frame, const Pen& pen, const Rect& graph,
                  Actions& actions);
  void draw_line(const ComparedFlameFrame& frame, const Pen& pen, std::size_t line,
                 const Rect& row);
  void draw_box(const ComparedFlameFrame& frame, const Pen& pen, const ComparedBox& box,
                const Rect& rect, bool is_caller);
  void draw_tip(const ComparedFlameFrame& frame, const Pen& pen, const ComparedBox& box) const;
  void click(const ComparedFlameFrame& frame, const ComparedBox& box, Actions& actions);

  struct Key {
    const ComparedTree* tree = nullptr;
    std::uint64_t version = 0;
    float width_px = 0, scale = 0;
    TreeWidth width = TreeWidth::mean;
    CallWeight weight = CallWeight::time;
    std::vector<std::uint32_t> zoom;
    bool operator==(const Key&) const = default;
  };
  std::optional<Key> key_;
  ComparedFlameLayout layout_;
  std::vector<std::uint32_t> zoom_path_;
  std::optional<ComparedBox> pointed_;
  std::size_t boxes_ = 0;
};

}  // namespace cinderscope
