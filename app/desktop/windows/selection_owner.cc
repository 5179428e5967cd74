#include "app/desktop/selection_owner.h"

namespace cinderscope {

class SelectionOwner::Server {};

// Texts of any length go by GLFW, in a browser by its own clipboard; pictures are not offered yet.
bool SelectionOwner::possible() {
  return false;
}

std::unique_ptr<SelectionOwner> SelectionOwner::open() {
  return nullptr;
}

SelectionOwner::SelectionOwner(std::unique_ptr<Server> server) : server_(std::move(server)) {}
SelectionOwner::~SelectionOwner() = default;

void SelectionOwner::offer(std::vector<ClipboardOffer>) {}

std::vector<ClipboardOffer> text_offers(std::string) {
  return {};
}

}  // namespace cinderscope
