#include "tests/support/load.h"

#include <zlib.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cinderscope {

LoadedTrace load_trace(const Format& format, Input input, LoadOptions options) {
  auto source = format.open(std::move(input));
  if (!source) throw std::runtime_error(source.error().text);
  LoadControl control(options);
  TimelineBuilder builder;
  const Status loaded = (*source)->load(builder, control);
  if (!loaded) throw std::runtime_error(loaded.error().text);
  LoadedTrace trace{std::move(*source), builder.finish(control.jobs())};
  trace.timeline.diagnostics.merge(trace.source->input().damage());
  return trace;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return bytes_of(text);
}

std::vector<std::byte> gzipped(std::span<const std::byte> bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::vector<std::byte> out(deflateBound(&stream, bytes.size()));
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return out;
}

}  // namespace cinderscope
