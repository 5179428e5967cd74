#include "app/window/panels/details_panel.h"

#include "app/window/window.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestText = 4096;  // of each value whose characters are looked at

}  // namespace

DetailsPanel::DetailsPanel() : durations_([] { Window::wake(); }) {}

bool DetailsPanel::poll(Session& /*session*/, bool /*visible*/) {
  return durations_.poll();
}

void DetailsPanel::draw(const PanelFrame& frame, Actions& actions) {
  Session& session = frame.session;
  durations_.ask(session);
  view_.draw({.timeline = session.timeline(),
              .state = session.state(),
              .source = session.source(),
              .theme = frame.theme,
              .area = frame.area,
              .generation = session.version(),
              .counts_calls = true,
              .all_of_name = durations_.found()},
             actions);
  note_shown_texts();
}

// Names are noted as they are read; arguments and stacks only once they are shown.
void DetailsPanel::note_shown_texts() {
  if (noted_facts_ == view_.facts_version()) return;
  noted_facts_ = view_.facts_version();
  const SelectionFacts& facts = view_.facts();
  const auto note = [&](std::string_view text) { shown_texts_ += text.substr(0, kLongestText); };
  for (const ArgsNode& node : facts.record.args.nodes) {
    note(node.key);
    note(node.value);
  }
  for (const Fact& fact : facts.facts) note(fact.value);
  for (const std::string& call : facts.record.stack) note(call);
}

}  // namespace cinderscope
