#include "app/version.h"

#include "commit.h"
#include "render/pictures/cairo_painter.h"

namespace cinderscope {

const char* version() {
  return CINDERSCOPE_VERSION;
}

std::string version_text() {
  return std::string("cinderscope " CINDERSCOPE_VERSION "\ncommit " CINDERSCOPE_COMMIT
                     "\ncompiler " CINDERSCOPE_COMPILER "\nlibraries " CINDERSCOPE_LIBRARIES) +
         (has_cairo() ? "" : "\npictures as SVG only");
}

}  // namespace cinderscope
