#include "formats/spall/name_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cinderscope::spall {
namespace {

// Text with what the cache may read behind it, of a value that must not matter.
StringId id_of(NameCache& cache, StringPool& pool, const std::string& text, char behind) {
  const std::string padded = text + std::string(8, behind);
  return cache.id(reinterpret_cast<const std::byte*>(padded.data()), text.size(), pool);
}

// For each length a text and all that differ from it in one byte.
std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (std::size_t size = 0; size <= 70; ++size) {
    const std::string text(size, 'a');
    all.push_back(text);
    for (std::size_t i = 0; i < size; ++i) {
      all.push_back(text);
      all.back()[i] = 'b';
    }
  }
  return all;
}

TEST(NameCacheTest, TellsTextsApartThatDifferInAnyByteOrInLength) {
  StringPool pool;
  NameCache cache;
  const std::vector<std::string> all = texts();
  for (const char behind : {'\0', 'a', '\xff'}) {
    for (const std::string& text : all) {
      ASSERT_EQ(pool.text(id_of(cache, pool, text, behind)), text);
      ASSERT_EQ(pool.text(id_of(cache, pool, text, 'x')), text);
    }
  }
}

}  // namespace
}  // namespace cinderscope::spall
