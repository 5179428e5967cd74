#!/usr/bin/env bash
# Libraries for the browser, from unpacked sources: libraries.sh WORK_FOLDER [LIBRARY]. Called by .ci/web in its root.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work=$1
prefix="$work/prefix" sources="$work/sources" objects="$work/objects"
jobs="${JOBS:-2}"
flags=(-w -pthread -fwasm-exceptions -msimd128 -msse2)
# What a trace's bytes and a frame's rectangles go through is fast, all else small: people load it over the net.
fast=-O2 small=-Oz
small_cmake=(-D CMAKE_C_FLAGS_RELEASE="$small -DNDEBUG" -D CMAKE_CXX_FLAGS_RELEASE="$small -DNDEBUG")
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$objects" "$work/logs"

by_cmake() { # NAME [ARGUMENT…]
  local name=$1
  shift
  cmake -G Ninja -S "$sources/$name" -B "$objects/$name" -D CMAKE_TOOLCHAIN_FILE="$here/emscripten.cmake" \
    -D CINDERSCOPE_WEB_PREFIX="$prefix" -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX="$prefix" \
    -D CMAKE_INSTALL_LIBDIR=lib -D BUILD_SHARED_LIBS=OFF "$@"
  cmake --build "$objects/$name" --parallel "$jobs"
  cmake --install "$objects/$name"
}
pc_file() { # NAME LIBS [CFLAGS]
  printf 'Name: %s\nDescription: %s\nVersion: 0\nLibs: -L%s/lib %s\nCflags: -I%s/include %s\n' \
    "$1" "$1" "$prefix" "$2" "$prefix" "${3:-}" >"$prefix/lib/pkgconfig/$1.pc"
}
# What is a list of files and nothing more.
from_files() { # NAME FOLDER [FLAG…] -- FILE…
  local name=$1 folder=$2 given=() file
  shift 2
  while [ "$1" != -- ]; do given+=("$1"); shift; done
  shift
  mkdir -p "$objects/$name"
  rm -f "$objects/$name"/*.o "$prefix/lib/lib$name.a"
  for file in "$@"; do printf '%s\0' "$file"; done | (cd "$folder" && xargs -0 -P "$jobs" -I FILE sh -c '
    out=$1; shift
    compiler=emcc
    case FILE in *.cc | *.cpp) compiler="em++ -std=c++17" ;; esac
    $compiler "$@" -c FILE -o "$out/$(echo FILE | tr / _).o"' - "$objects/$name" "${flags[@]}" "${given[@]}")
  emar rcs "$prefix/lib/lib$name.a" "$objects/$name"/*.o
}

lib_headers() { # which are the same for all systems
  cp -r /usr/include/asio /usr/include/asio.hpp /usr/include/CLI /usr/include/protozero "$prefix/include"
  mkdir -p "$prefix/lib/cmake"
  cp -r "$(dirname "$(dpkg -L libcli11-dev | grep 'CLI11Config.cmake$')")" "$prefix/lib/cmake/CLI11"
}
lib_fmt() { by_cmake fmt "${small_cmake[@]}" -D FMT_DOC=OFF -D FMT_TEST=OFF; }
lib_simdjson() { by_cmake simdjson -D SIMDJSON_DEVELOPER_MODE=OFF; }
lib_zlib() {
  from_files z "$sources/zlib" $fast -D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H -- adler32.c compress.c crc32.c deflate.c infback.c \
    inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
  cp "$sources/zlib"/{zlib,zconf}.h "$prefix/include"
}
# What ISA-L unpacks with, in plain C: its state can be kept, so that a packed trace needs no memory for all of its bytes.
# Checksums are zlib's, which sums several bytes at a time in C, too.
lib_isal() {
  cat >"$objects/isal.c" <<'EOF'
#include <stdint.h>
#include <zlib.h>
uint32_t crc32_gzip_refl(uint32_t before, const unsigned char *bytes, uint64_t count) { return crc32_z(before, bytes, count); }
uint32_t isal_adler32(uint32_t before, const unsigned char *bytes, uint64_t count) { return adler32_z(before, bytes, count); }
EOF
  from_files isal "$sources/isal" $fast -Iinclude -I"$prefix/include" \
    -Ddecode_huffman_code_block_stateless=decode_huffman_code_block_stateless_base -- \
    igzip/{igzip_inflate,igzip,hufftables_c}.c "$objects/isal.c"
  mkdir -p "$prefix/include/isa-l"
  cp "$sources/isal/include"/{igzip_lib,crc,types}.h "$prefix/include/isa-l"
  cat >"$prefix/include/isa-l.h" <<'EOF'
#pragma once
#define ISAL_VERSION 0x21e00
#include <isa-l/igzip_lib.h>
EOF
  pc_file libisal '-lisal -lz'
}
lib_zstd() {
  (cd "$sources/zstd/lib" && ls common/*.c compress/*.c decompress/*.c) >"$objects/zstd.files"
  mapfile -t files <"$objects/zstd.files"
  from_files zstd "$sources/zstd/lib" $fast -DZSTD_DISABLE_ASM=1 -DXXH_NAMESPACE=ZSTD_ -- "${files[@]}"
  cp "$sources/zstd/lib"/zstd*.h "$prefix/include"
  pc_file libzstd -lzstd
}
lib_lz4() {
  from_files lz4 "$sources/lz4/lib" $fast -DXXH_NAMESPACE=LZ4_ -- lz4.c lz4hc.c lz4frame.c xxhash.c
  cp "$sources/lz4/lib"/lz4*.h "$prefix/include"
  pc_file liblz4 -llz4
}
lib_xxhash() {
  from_files xxhash "$sources/xxhash" $fast -- xxhash.c
  cp "$sources/xxhash"/{xxhash,xxh3}.h "$prefix/include"
  pc_file libxxhash -lxxhash
}
lib_nettle() { # of which SHA-256 and Base64 are used
  mkdir -p "$objects/nettle-config" "$prefix/include/nettle"
  : >"$objects/nettle-config/config.h"
  from_files nettle "$sources/nettle" $small -DHAVE_CONFIG_H -I"$objects/nettle-config" -- sha256.c sha256-compress.c write-be32.c \
    base64-encode.c base64-decode.c
  cp "$sources/nettle"/{sha2,base64,nettle-types}.h "$prefix/include/nettle"
  pc_file nettle -lnettle
}
lib_utf8proc() {
  from_files utf8proc "$sources/utf8proc" $small -DUTF8PROC_STATIC -- utf8proc.c
  cp "$sources/utf8proc/utf8proc.h" "$prefix/include"
  pc_file libutf8proc -lutf8proc -DUTF8PROC_STATIC
}
lib_sqlite() { # the amalgamation is made by its own build
  local with=(-DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION)
  rm -rf "$objects/sqlite-source"
  cp -a "$sources/sqlite" "$objects/sqlite-source"
  (cd "$objects/sqlite-source" && { [ -x configure ] || autoreconf -fi; } && sh ./configure --disable-readline &&
    make sqlite3.c sqlite3.h)
  from_files sqlite3 "$objects/sqlite-source" $small "${with[@]}" -- sqlite3.c
  cp "$objects/sqlite-source/sqlite3.h" "$prefix/include"
}
lib_re2() { # its tables are stripped: made as debian/rules does, of package unicode-data
  (cd "$sources/re2" && perl re2/make_perl_groups.pl >re2/perl_groups.cc &&
    python3 re2/make_unicode_casefold.py >re2/unicode_casefold.cc &&
    python3 re2/make_unicode_groups.py >re2/unicode_groups.cc)
  by_cmake re2 -D RE2_BUILD_TESTING=OFF
}
lib_fribidi() {
  mkdir -p "$objects/fribidi-config" "$prefix/include/fribidi"
  for each in STDC_HEADERS HAVE_STDLIB_H HAVE_STRING_H HAVE_MEMORY_H HAVE_STRINGIZE; do echo "#define $each 1"; done \
    >"$objects/fribidi-config/config.h"
  cat >"$prefix/include/fribidi/fribidi-config.h" <<'EOF'
#pragma once
#define FRIBIDI "fribidi"
#define FRIBIDI_NAME "GNU FriBidi"
#define FRIBIDI_VERSION "1.0"
#define FRIBIDI_MAJOR_VERSION 1
#define FRIBIDI_MINOR_VERSION 0
#define FRIBIDI_MICRO_VERSION 0
#define FRIBIDI_INTERFACE_VERSION 4
#define FRIBIDI_INTERFACE_VERSION_STRING "4"
#define FRIBIDI_BUGREPORT ""
#define FRIBIDI_SIZEOF_INT 4
EOF
  mapfile -t files < <(cd "$sources/fribidi/lib" && ls fribidi*.c)
  from_files fribidi "$sources/fribidi/lib" $small -DHAVE_CONFIG_H -DFRIBIDI_LIB_STATIC -I"$objects/fribidi-config" -I. \
    -I"$prefix/include/fribidi" -- "${files[@]}"
  cp "$sources/fribidi/lib"/fribidi*.h "$prefix/include/fribidi"
  pc_file fribidi -lfribidi "-I$prefix/include/fribidi -DFRIBIDI_LIB_STATIC"
}
lib_freetype() {
  by_cmake freetype "${small_cmake[@]}" -D FT_DISABLE_BZIP2=ON -D FT_DISABLE_PNG=ON -D FT_DISABLE_HARFBUZZ=ON -D FT_DISABLE_BROTLI=ON \
    -D FT_REQUIRE_ZLIB=ON
  pc_file freetype2 "-lfreetype -lz" "-I$prefix/include/freetype2"
}
lib_stb() {
  mkdir -p "$prefix/include/stb"
  cp "$sources/stb"/*.h "$prefix/include/stb"
  printf '#define STB_%s_IMPLEMENTATION\n#include "stb_%s.h"\n' IMAGE image IMAGE_WRITE image_write RECT_PACK rect_pack >"$objects/stb.c"
  from_files stb "$objects" $small -I"$prefix/include/stb" -- stb.c
  pc_file stb -lstb "-I$prefix/include/stb"
}
lib_imgui() { # the core, WebGL 2 and FreeType
  mkdir -p "$prefix/include/imgui/backends"
  from_files imgui "$sources/imgui" $fast -DIMGUI_IMPL_OPENGL_ES3 -DImDrawIdx=ImU32 -I. -Ibackends -I"$prefix/include" -I"$prefix/include/freetype2" \
    -I"$prefix/include/stb" -- imgui.cpp imgui_demo.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp \
    backends/imgui_impl_opengl3.cpp misc/freetype/imgui_freetype.cpp misc/cpp/imgui_stdlib.cpp
  cp "$sources/imgui"/*.h "$sources/imgui"/misc/freetype/*.h "$sources/imgui"/misc/cpp/*.h "$prefix/include/imgui"
  cp "$sources/imgui"/backends/*.h "$prefix/include/imgui/backends"
  pc_file imgui -limgui "-I$prefix/include/imgui -DIMGUI_IMPL_OPENGL_ES3 -DImDrawIdx=ImU32"
}
lib_gl() { # in place of the loader's header
  mkdir -p "$prefix/include/glad"
  cp "$here/gl.h" "$prefix/include/glad/gl.h"
}

if [ $# -gt 1 ]; then
  "lib_$2"
  exit
fi
for library in headers fmt simdjson zlib isal zstd lz4 xxhash nettle utf8proc sqlite re2 fribidi freetype stb imgui gl; do
  [ -f "$work/logs/$library.done" ] && continue
  begin=$SECONDS
  if ! bash "${BASH_SOURCE[0]}" "$work" "$library" >"$work/logs/$library.log" 2>&1; then
    tail -20 "$work/logs/$library.log" >&2
    printf '== %s: failed, see logs/%s.log\n' "$library" "$library" >&2
    exit 1
  fi
  touch "$work/logs/$library.done"
  printf '== %s: %s s\n' "$library" $((SECONDS - begin)) >&2
done
