// The outline of an index: what all of it says of blocks and roots, without a look at all cells.
#include "formats/lincheck/index/index_reader.h"

#include <gtest/gtest.h>

#include "tests/support/make_lincheck.h"

namespace cinderscope::lincheck {
namespace {

struct Made {
  std::vector<std::byte> data, index;
};

Made made(const LincheckShape& shape) {
  Made files;
  const auto into = [](std::vector<std::byte>& to) {
    return [&to](std::span<const std::byte> bytes) {
      to.insert(to.end(), bytes.begin(), bytes.end());
    };
  };
  make_lincheck(shape, into(files.data), into(files.index));
  return files;
}

// Of each thread: where its roots begin and end.
std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> roots_of(
    const IndexedTrace& trace) {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> roots;
  for (const ThreadCells& cells : trace.cells) {
    roots.emplace_back();
    for (const std::uint64_t ordinal : cells.children(0, cells.count())) {
      roots.back().emplace_back(cells.at(ordinal).start, cells.at(ordinal).end);
    }
  }
  return roots;
}

void expect_same_outline(const Made& files) {
  const Layout layout = layout_of(22);
  const auto all = read_index(files.index, files.data, layout, 1);
  const auto outline = read_outline(files.index, files.data, layout);
  ASSERT_TRUE(all && outline);
  ASSERT_EQ(outline->map.blocks.size(), all->map.blocks.size());
  for (std::size_t i = 0; i < all->map.blocks.size(); ++i) {
    EXPECT_EQ(outline->map.blocks[i].begin, all->map.blocks[i].begin);
    EXPECT_EQ(outline->map.blocks[i].size, all->map.blocks[i].size);
    EXPECT_EQ(outline->map.blocks[i].logical, all->map.blocks[i].logical);
    EXPECT_EQ(outline->map.blocks[i].thread, all->map.blocks[i].thread);
  }
  EXPECT_EQ(roots_of(*outline), roots_of(*all));
}

TEST(LincheckIndexReaderTest, OutlineHasTheBlocksAndRootsOfAll) {
  for (const std::uint64_t block_bytes : {300u, 5000u, 100'000u, 1'000'000u}) {
    SCOPED_TRACE(block_bytes);
    expect_same_outline(made({.calls = 60'000, .block_bytes = block_bytes}));
  }
}

TEST(LincheckIndexReaderTest, OutlineTellsThreadsApartThatDoTheSame) {
  for (const std::uint64_t block_bytes : {2000u, 200'000u}) {
    SCOPED_TRACE(block_bytes);
    expect_same_outline(
        made({.calls = 60'000, .threads = 4, .block_bytes = block_bytes, .seed_step = 0}));
  }
}

TEST(LincheckIndexReaderTest, OutlineIsNoneWhereABlockIsWrong) {
  const Made files = made({.calls = 5000, .block_bytes = 20'000});
  const Layout layout = layout_of(22);
  const auto all = read_index(files.index, files.data, layout, 1);
  ASSERT_TRUE(all);
  // The cell of the second block, by where it begins.
  const Block& second = all->map.blocks.at(1);
  const std::uint8_t kind = layout.byte_of_kind[static_cast<std::size_t>(Kind::block_start)];
  std::size_t at = kHeaderBytes;
  while (read_cell(files.index.data() + at).kind != kind ||
         read_cell(files.index.data() + at).start != static_cast<std::int64_t>(second.begin)) {
    at += kCellBytes;
  }
  for (std::size_t byte = 0; byte < kCellBytes; ++byte) {
    Made broken = files;
    broken.index[at + byte] ^= std::byte{0x40};
    EXPECT_FALSE(read_outline(broken.index, broken.data, layout)) << byte;
  }
}

}  // namespace
}  // namespace cinderscope::lincheck
