# Builds for browsers by Debian's emscripten: .ci/web. CINDERSCOPE_WEB_PREFIX has the libraries.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CINDERSCOPE_WEB_PREFIX)
list(APPEND CMAKE_FIND_ROOT_PATH ${CINDERSCOPE_WEB_PREFIX})
list(APPEND CMAKE_PREFIX_PATH ${CINDERSCOPE_WEB_PREFIX})
set(ENV{PKG_CONFIG_LIBDIR} ${CINDERSCOPE_WEB_PREFIX}/lib/pkgconfig)
# Threads, exceptions of the browser's own kind, and code for SSE2 as SIMD of WebAssembly; of all libraries alike.
# Sizes have 32 bits there, and 64 here and there in this program. libc++ 18 keeps jthread behind a switch and lacks what the header has.
set(cinderscope_web_flags "-pthread -fwasm-exceptions -msimd128 -msse2")
set(CMAKE_C_FLAGS_INIT "${cinderscope_web_flags}")
set(CMAKE_CXX_FLAGS_INIT "${cinderscope_web_flags} -Wno-c++11-narrowing -Wno-shorten-64-to-32 -fexperimental-library -include ${CMAKE_CURRENT_LIST_DIR}/libcxx_18.h")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${cinderscope_web_flags}")
