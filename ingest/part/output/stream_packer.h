// Packs a stream of bytes by gzip or zstd.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "ingest/part/output/output_file.h"

namespace cinderscope {

// The same bytes give the same stream: nothing of the machine or the time goes into it.
class StreamPacker {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  virtual ~StreamPacker() = default;
  virtual bool add(std::string_view bytes, const Sink& sink) = 0;  // false: it failed
  virtual bool finish(const Sink& sink) = 0;
};

std::unique_ptr<StreamPacker> stream_packer(OutputPacking packing);  // null: not packed

}  // namespace cinderscope
