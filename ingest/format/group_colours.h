// Names coloured by what they belong to: what a TraceSource may be beside.
#pragma once

namespace cinderscope {

// A source that has colours for groups of functions in its file (categories), which a load takes
// where SymbolOptions::colours_by_package asks for them; else colours are those of names.
class GroupColours {
 public:
  virtual ~GroupColours() = default;
};

}  // namespace cinderscope
