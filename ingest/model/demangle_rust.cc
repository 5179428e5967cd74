#include "ingest/model/demangle_rust.h"

#ifdef CINDERSCOPE_LIBIBERTY

// What the C library has already is not declared again.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>

#include <csetjmp>
#include <utility>

namespace cinderscope {
namespace {

constexpr std::size_t kMaxSymbol = 4096, kMaxName = 16384;

// What the library is given to write to. References within a symbol can double a name again and
// again, and the library goes on for as long: it is left in the middle where a name is too long.
// Below its call are frames of C alone, which may be left so.
struct Written {
  std::string name;
  std::jmp_buf too_long;
};

void write(const char* text, std::size_t size, void* to) {
  auto* written = static_cast<Written*>(to);
  if (size > kMaxName - written->name.size()) std::longjmp(written->too_long, 1);
  written->name.append(text, size);
}

bool demangle(const char* symbol, Written& written) {
  if (setjmp(written.too_long) != 0) return false;
  return rust_demangle_callback(symbol, DMGL_NO_OPTS, write, &written) != 0;
}

}  // namespace

std::optional<std::string> demangled_rust(std::string_view symbol) {
  if (symbol.size() > kMaxSymbol || symbol.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  Written written;
  if (!demangle(std::string(symbol).c_str(), written) || written.name.empty()) return std::nullopt;
  return std::move(written.name);
}

}  // namespace cinderscope

#else

namespace cinderscope {

std::optional<std::string> demangled_rust(std::string_view) {
  return std::nullopt;
}

}  // namespace cinderscope

#endif
