#include "ingest/input/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::string text_of(const Input& input) {
  const Result<Pin> all = input.pin_all();
  return all ? std::string(all->text()) : "(no bytes)";
}

std::vector<std::byte> joined(const std::vector<std::vector<std::byte>>& parts) {
  std::vector<std::byte> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<std::byte> zstd_of(std::string_view text) {
  std::vector<std::byte> out(ZSTD_compressBound(text.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::vector<std::byte> lz4_of(std::string_view text) {
  std::vector<std::byte> out(LZ4F_compressFrameBound(text.size(), nullptr));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), nullptr));
  return out;
}

std::vector<std::byte> gzip_of(std::string_view text) {
  return gzipped(std::as_bytes(std::span(text)));
}

// Longer than any buffer on the way, and not repetitive at that length.
std::string long_text() {
  std::string text;
  for (unsigned i = 0; text.size() < 3'000'000; ++i) text += std::to_string(i * 2654435761u) + ' ';
  return text;
}

std::string content(std::vector<std::byte> stored) {
  return text_of(Input::from_memory("x", std::move(stored)));
}

bool zeros_follow(const Pin& pin) {
  const std::byte* after = pin.bytes().data() + pin.size();
  return std::all_of(after, after + 64, [](std::byte b) { return b == std::byte{0}; });
}

bool zeros_follow(const Input& input) {
  return zeros_follow(*input.pin_all());
}

TEST(InputTest, MapsAFileWithZerosAfterItsEnd) {
  const TempDir dir;
  for (const std::size_t size : {1u, 4095u, 4096u, 4097u, 100000u}) {
    const std::string written(size, 'x');
    const auto input = Input::from_path(dir.write("file", written));
    ASSERT_TRUE(input);
    EXPECT_EQ(text_of(*input), written);
    EXPECT_TRUE(zeros_follow(*input));
    EXPECT_TRUE(input->complete());
    EXPECT_EQ(input->stored_bytes(), size);
    EXPECT_EQ(input->name(), "file");
    EXPECT_EQ(input->head().size(), std::min<std::size_t>(size, 4096));
  }
}

TEST(InputTest, ReadsMemoryWithZerosAfterItsEnd) {
  const Input input = Input::from_memory("name", bytes_of("abc"));
  EXPECT_EQ(text_of(input), "abc");
  EXPECT_TRUE(zeros_follow(input));
}

TEST(InputTest, UnpacksGzipZstdAndLz4ByContent) {
  const std::string text = long_text();
  EXPECT_EQ(content(gzip_of(text)), text);
  EXPECT_EQ(content(zstd_of(text)), text);
  EXPECT_EQ(content(lz4_of(text)), text);
  const TempDir dir;
  const auto input = Input::from_path(dir.write("no-telling-name", gzip_of(text)));
  ASSERT_TRUE(input);
  EXPECT_EQ(text_of(*input), text);
  EXPECT_TRUE(zeros_follow(*input));
  EXPECT_EQ(input->stored_done_bytes(), input->stored_bytes());
  EXPECT_EQ(input->damage().total(), 0u);
}

TEST(InputTest, UnpacksSeveralMembersAndMixesOfThem) {
  EXPECT_EQ(content(joined({gzip_of("one "), gzip_of("two "), gzip_of("three")})), "one two three");
  EXPECT_EQ(content(joined({zstd_of("one "), zstd_of("two")})), "one two");
  EXPECT_EQ(content(joined({lz4_of("one "), lz4_of("two")})), "one two");
  EXPECT_EQ(content(joined({gzip_of("one "), zstd_of("two "), lz4_of("three")})), "one two three");
}

TEST(InputTest, SkipsSkippableFramesAndZeroPadding) {
  const std::vector<std::byte> skippable =
      bytes_of(std::string_view("\x53\x2a\x4d\x18\3\0\0\0abc", 11));
  EXPECT_EQ(content(joined({skippable, zstd_of("one "), skippable, zstd_of("two")})), "one two");
  const Input padded =
      Input::from_memory("x", joined({gzip_of("one"), std::vector<std::byte>(1000)}));
  EXPECT_EQ(text_of(padded), "one");
  EXPECT_EQ(padded.damage().total(), 0u);
}

TEST(InputTest, UnpacksWhatWasPackedTwice) {
  EXPECT_EQ(content(gzipped(zstd_of("inside"))), "inside");
}

TEST(InputTest, KeepsWhatATruncatedStreamHolds) {
  const std::string text = long_text();
  for (auto packed : {gzip_of(text), zstd_of(text), lz4_of(text)}) {
    packed.resize(packed.size() * 2 / 3);
    const std::size_t stored = packed.size();
    const Input input = Input::from_memory("x", std::move(packed));
    const std::string got = text_of(input);
    EXPECT_GT(got.size(), text.size() / 3);
    EXPECT_EQ(got, text.substr(0, got.size()));
    const Diagnostics damage = input.damage();
    ASSERT_EQ(damage.by_code().count("truncated_compression"), 1u);
    EXPECT_EQ(damage.by_code().at("truncated_compression").first_offset,
              static_cast<std::int64_t>(stored));
  }
}

TEST(InputTest, KeepsWhatLiesBeforeDamage) {
  const std::string text = long_text();
  auto packed = gzip_of(text);
  std::fill_n(packed.begin() + static_cast<std::ptrdiff_t>(packed.size() / 2), 300,
              std::byte{0xff});
  const Input input = Input::from_memory("x", std::move(packed));
  const std::string got = text_of(input);
  EXPECT_GT(got.size(), text.size() / 4);
  EXPECT_EQ(got.substr(0, text.size() / 4), text.substr(0, text.size() / 4));
  EXPECT_EQ(input.damage().by_code().count("damaged_compression"), 1u);
}

TEST(InputTest, ReportsBytesAfterTheCompressedData) {
  const Input input = Input::from_memory("x", joined({gzip_of("one"), bytes_of("and more text")}));
  EXPECT_EQ(text_of(input), "one");
  EXPECT_EQ(input.damage().by_code().count("damaged_compression"), 1u);
}

TEST(InputTest, ReceivesAPipeWhileItGrows) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto input = Input::from_descriptor(UniqueFd(ends[0]), "pipe");
  ASSERT_TRUE(input);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  EXPECT_EQ(std::string(input->pin(0, 3)->text()), "abc");
  EXPECT_FALSE(input->complete());
  EXPECT_EQ(input->stored_bytes(), 0u);
  ASSERT_EQ(write(ends[1], "def", 3), 3);
  close(ends[1]);
  EXPECT_EQ(text_of(*input), "abcdef");
  EXPECT_TRUE(zeros_follow(*input));
  EXPECT_EQ(input->stored_bytes(), 6u);
}

TEST(InputTest, UnpacksAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::vector<std::byte> packed = gzip_of("packed on its way");
  const auto input = Input::from_descriptor(UniqueFd(ends[0]), "pipe");
  ASSERT_TRUE(input);
  for (const std::byte byte : packed) ASSERT_EQ(write(ends[1], &byte, 1), 1);
  close(ends[1]);
  EXPECT_EQ(text_of(*input), "packed on its way");
}

TEST(InputTest, StopsWhileAPipeIsSilent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto input = Input::from_descriptor(UniqueFd(ends[0]), "pipe");
  ASSERT_TRUE(input);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  EXPECT_EQ(input->wait_for(3), 3u);
  input->stop();
  EXPECT_TRUE(input->complete());
  EXPECT_EQ(input->pin(0, input->size_bytes())->text(), "abc");
  EXPECT_EQ(input->damage().total(), 0u);
  close(ends[1]);
}

TEST(InputTest, SaysOfBytesThatDidNotComeThatReadingWasStopped) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto input = Input::from_descriptor(UniqueFd(ends[0]), "pipe");
  ASSERT_TRUE(input);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  std::thread reader([&] {
    const Result<Pin> waiting = input->pin(1, 3);
    ASSERT_FALSE(waiting);
    EXPECT_EQ(waiting.error().code, ErrorCode::cancelled);
  });
  EXPECT_EQ(input->wait_for(3), 3u);
  input->stop();
  reader.join();
  EXPECT_EQ(input->pin(1, 2)->text(), "bc");
  EXPECT_EQ(input->pin_all().error().code, ErrorCode::cancelled);
  const Input section = input->section("inner", 1, 2);
  EXPECT_EQ(section.pin_all()->text(), "bc");
  EXPECT_EQ(input->section("longer", 1, 3).pin_all().error().code, ErrorCode::cancelled);
  close(ends[1]);
}

TEST(InputTest, StoppingWhatHasComeChangesNothing) {
  const Input input = Input::from_memory("x", gzip_of("all of it"));
  EXPECT_EQ(input.size_bytes(), 9u);
  input.stop();
  EXPECT_EQ(text_of(input), "all of it");
}

TEST(InputTest, ReadsANamedPipeThatIsOpenedBeforeItsWriter) {
  const TempDir dir;
  const auto path = dir.path() / "fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto input = Input::from_path(path);
  ASSERT_TRUE(input);
  std::ofstream(path) << "late";
  EXPECT_EQ(text_of(*input), "late");
}

TEST(InputTest, ReadsAFileThatShrinksAsZeros) {
  const TempDir dir;
  const auto path = dir.write("file", std::string(1 << 20, 'x'));
  const auto input = Input::from_path(path);
  ASSERT_TRUE(input);
  const Pin all = *input->pin_all();
  const std::span<const std::byte> bytes = all.bytes();
  std::filesystem::resize_file(path, 100);
  EXPECT_EQ(bytes[50], std::byte{'x'});
  EXPECT_EQ(bytes[1 << 19], std::byte{0});
  EXPECT_EQ(bytes[(1 << 20) - 1], std::byte{0});
  const Diagnostics damage = input->damage();
  ASSERT_EQ(damage.by_code().count("file_shrank"), 1u);
  EXPECT_EQ(damage.by_code().at("file_shrank").first_offset, 100);
}

// As of a program that writes its trace anew while the old one is read.
class ChangingFileTest : public testing::Test {
 protected:
  // What is said of a file of `before` that becomes `after` while it is open.
  bool is_said(const std::string& before, const std::string& after) {
    const auto path = dir_.write("file", before);
    const auto input = Input::from_path(path);
    if (!input) throw std::runtime_error(input.error().text);
    std::filesystem::resize_file(path, after.starts_with(before) ? before.size() : 0);
    dir_.write("file", after);
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
    return input->damage().by_code().contains("file_changed");
  }

  TempDir dir_;
};

TEST_F(ChangingFileTest, AFileThatIsCutAndGrowsBackIsSaid) {
  const std::string before(100'000, 'x');
  EXPECT_TRUE(is_said(before, std::string(100'000, '\0')));
  EXPECT_TRUE(is_said(before, before));  // it was away for a while
  EXPECT_TRUE(is_said(before, std::string(200'000, 'y')));
}

TEST_F(ChangingFileTest, AFileThatIsStillBeingRecordedIsNot) {
  EXPECT_FALSE(is_said(std::string(100'000, 'x'), std::string(100'000, 'x') + "more"));
}

TEST(InputTest, TakesOnlyItsShareOfTheDisk) {
  const TempDir dir;
  const auto path = dir.write("big.gz", gzipped(std::vector<std::byte>(100'000'000)));
  const auto small_share = Input::from_path(path, 1e-6);
  ASSERT_TRUE(small_share);
  EXPECT_LT(small_share->size_bytes(), 100'000'000u);
  EXPECT_TRUE(small_share->refused());
  EXPECT_TRUE(small_share->damage().has(diagnostic::kDiskShare));
  const auto whole = Input::from_path(path, 1);
  EXPECT_EQ(whole->size_bytes(), 100'000'000u);
  EXPECT_EQ(whole->unpacked_bytes(), 100'000'000u);
  EXPECT_FALSE(whole->refused());
}

TEST(InputTest, AnEmptyFileHasNoBytes) {
  const TempDir dir;
  const auto empty = Input::from_path(dir.write("empty", std::string_view()));
  ASSERT_TRUE(empty) << empty.error().text;
  EXPECT_TRUE((empty->size_bytes() == 0));
  EXPECT_TRUE(empty->head().empty());
  EXPECT_TRUE(empty->complete());
}

TEST(InputTest, SaysWhyAFileCannotBeRead) {
  const TempDir dir;
  const auto missing = Input::from_path(dir.path() / "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::cannot_read);
  EXPECT_EQ(missing.error().text, "There is no file \"missing\".");
  const auto device = Input::from_path("/dev/null");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().text, "\"null\" is a device, not a file with a trace.");
  const auto locked = dir.write("locked", "x");
  chmod(locked.c_str(), 0);
  if (geteuid() != 0) {
    const auto refused = Input::from_path(locked);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text, "\"locked\" cannot be read: you have no permission to.");
  }
}

TEST(InputTest, ListsAndOpensTheFilesOfAFolder) {
  const TempDir dir;
  dir.write("b", "second");
  dir.write("a", "first");
  std::filesystem::create_directory(dir.path() / "folder");
  const auto input = Input::from_path(dir.path());
  ASSERT_TRUE(input);
  EXPECT_TRUE(input->is_folder());
  EXPECT_EQ(input->files(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(input->size_bytes(), 0u);
  EXPECT_FALSE(input->pin_all());
  const auto file = input->companion("b");
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), "second");
  const auto beside = file->companion("a");
  ASSERT_TRUE(beside);
  EXPECT_EQ(text_of(*beside), "first");
  EXPECT_FALSE(file->companion("missing"));
}

TEST(InputTest, OpensNoCompanionOutsideTheFolder) {
  const TempDir dir;
  dir.write("secret", "x");
  std::filesystem::create_directory(dir.path() / "inner");
  std::ofstream(dir.path() / "inner" / "trace") << "y";
  const auto input = Input::from_path(dir.path() / "inner" / "trace");
  ASSERT_TRUE(input);
  EXPECT_FALSE(input->companion("../secret"));
  EXPECT_FALSE(input->companion((dir.path() / "secret").string()));
  EXPECT_FALSE(input->companion(".."));
  EXPECT_FALSE(input->companion(""));
}

TEST(InputTest, LeavesNoDescriptorOrThreadBehind) {
  const auto count = [](const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder),
                         std::filesystem::directory_iterator());
  };
  const auto descriptors = count("/proc/self/fd");
  const auto threads = count("/proc/self/task");
  for (int i = 0; i < 20; ++i) {
    const Input input = Input::from_memory("x", gzip_of("abc"));
    if (i % 2 == 0) static_cast<void>(input.size_bytes());
  }
  EXPECT_EQ(count("/proc/self/fd"), descriptors);
  EXPECT_EQ(count("/proc/self/task"), threads);
}

TEST(InputTest, PinsAPartByItsPlaceInTheInput) {
  const Input input = Input::from_memory("x", bytes_of("0123456789"));
  const Pin middle = *input.pin(3, 4);
  EXPECT_EQ(middle.text(), "3456");
  EXPECT_EQ(middle.begin(), 3u);
  EXPECT_EQ(middle.end(), 7u);
  EXPECT_EQ(*middle.at(5), std::byte{'5'});
  const Pin end = *input.pin(8, 100);
  EXPECT_EQ(end.text(), "89");
  EXPECT_TRUE(zeros_follow(end));
  for (const std::uint64_t behind : {std::uint64_t{10}, std::uint64_t{11}, UINT64_MAX}) {
    EXPECT_EQ(input.pin(behind, UINT64_MAX)->size(), 0u);
    EXPECT_EQ(input.pin(behind, 1)->begin(), behind);
  }
  EXPECT_TRUE(zeros_follow(*Input::from_memory("empty", {}).pin_all()));
}

TEST(InputTest, APinWaitsForBytesThatStillCome) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const auto input = Input::from_descriptor(UniqueFd(ends[0]), "pipe");
  ASSERT_TRUE(input);
  std::thread writer([end = ends[1]] {
    EXPECT_EQ(write(end, "abcdef", 6), 6);
    close(end);
  });
  EXPECT_EQ(input->pin(4, 2)->text(), "ef");
  writer.join();
  EXPECT_EQ(input->pin(4, 9)->text(), "ef");
}

TEST(InputTest, ASectionIsAnInputOfItsOwn) {
  const TempDir dir;
  std::optional<Input> section;
  {
    const auto file = Input::from_path(dir.write("pack", "headTRACEtail"));
    ASSERT_TRUE(file);
    section = file->section("trace", 4, 5);
  }
  EXPECT_EQ(text_of(*section), "TRACE");
  EXPECT_TRUE(zeros_follow(*section));
  EXPECT_EQ(section->pin(1, 2)->text(), "RA");
  EXPECT_EQ(section->size_bytes(), 5u);
  EXPECT_EQ(section->stored_bytes(), 5u);
  EXPECT_EQ(section->name(), "trace");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(section->head().data()), 5), "TRACE");
  const Input inner = section->section("inner", 1, 99);
  EXPECT_EQ(text_of(inner), "RACE");
  const Pin end = *inner.pin(2, 9);  // fewer than the section asked for, more than there are
  EXPECT_EQ(end.text(), "CE");
  EXPECT_EQ(end.begin(), 2u);
  EXPECT_TRUE(zeros_follow(end));
  EXPECT_EQ(text_of(section->section("behind", 5, 1)), "");
  EXPECT_TRUE(section->complete());
  EXPECT_EQ(section->damage().total(), 0u);
  const Pin all = *section->pin_all(), last = *section->pin(3, 2);
  EXPECT_EQ(last.text(), "CE");
  EXPECT_EQ(last.bytes().data(), all.bytes().data() + 3);  // no second copy
}

}  // namespace
}  // namespace cinderscope
