#include "formats/lincheck/index/index_file.h"

#include <fmt/format.h>

#include <utility>

#include "formats/lincheck/java_reader.h"

namespace cinderscope::lincheck {
namespace {

void append_i64(std::vector<std::byte>& to, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    to.push_back(static_cast<std::byte>(value >> shift));
  }
}

}  // namespace

std::vector<std::byte> index_header(std::int64_t version) {
  std::vector<std::byte> header;
  append_i64(header, kIndexMagic);
  append_i64(header, static_cast<std::uint64_t>(version));
  return header;
}

std::vector<std::byte> index_footer(const Layout& layout) {
  std::vector<std::byte> footer;
  append_cell(footer, {layout.byte_of_kind[static_cast<std::size_t>(Kind::eof)], -1, -1, -1});
  append_i64(footer, kIndexMagic);
  return footer;
}

IndexComparison::IndexComparison(std::span<const std::byte> file, const Layout& layout)
    : file_(file), layout_(layout) {
  JavaReader in(file);
  const auto magic = static_cast<std::uint64_t>(in.i64());
  const std::int64_t version = in.i64();
  if (in.cut()) {
    fail(true, "it ends within its header");
  } else if (magic != kIndexMagic) {
    fail(false, "it does not begin as an index does");
  } else if (version != layout.version) {
    at_ = sizeof magic;
    fail(false,
         fmt::format("it is of version {}, the data are of version {}", version, layout.version));
  }
  at_ = kHeaderBytes;
}

void IndexComparison::fail(bool is_cut, std::string what) {
  if (!problem_) problem_ = Problem{is_cut, at_, std::move(what)};
}

void IndexComparison::add(std::span<const std::byte> cells) {
  for (std::size_t i = 0; i < cells.size() && !problem_; i += kCellBytes) {
    if (at_ + kCellBytes > file_.size()) return fail(true, "it ends too early");
    const IndexCell wanted = read_cell(cells.data() + i);
    const IndexCell found = read_cell(file_.data() + at_);
    const bool end_counts = !is_reference(layout_.kind_of_byte[wanted.kind]);
    if (found.kind != wanted.kind || found.id != wanted.id || found.start != wanted.start ||
        (end_counts && found.end != wanted.end)) {
      return fail(false, "an entry is not what the data say");
    }
    at_ += kCellBytes;
  }
}

std::optional<IndexComparison::Problem> IndexComparison::finish() {
  if (problem_) return problem_;
  if (at_ + kCellBytes + kIndexFooterBytes > file_.size()) {
    fail(true, "its end is missing");
    return problem_;
  }
  const IndexCell last = read_cell(file_.data() + at_);
  JavaReader in(file_, at_ + kCellBytes);
  if (layout_.kind_of_byte[last.kind] != Kind::eof) {
    fail(false, "it has an entry more than the data");
  } else if (static_cast<std::uint64_t>(in.i64()) != kIndexMagic) {
    at_ += kCellBytes;
    fail(false, "its end mark is wrong");
  }
  return problem_;
}

}  // namespace cinderscope::lincheck
