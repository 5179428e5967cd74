#include "app/output/weights_json.h"

namespace cinderscope {

void write_weights(JsonWriter& out, const Timeline& timeline) {
  if (!timeline.axis.unit.text().empty()) out.field("unit", timeline.axis.unit.text());
  if (timeline.axis.scale != 1) out.field("scale", timeline.axis.scale);
  if (timeline.weights.empty()) return;
  out.field("weight", timeline.weights[timeline.weight].name);
  out.key("weights").begin_array();
  for (const Weight& weight : timeline.weights) out.text(weight.name);
  out.end_array();
}

}  // namespace cinderscope
