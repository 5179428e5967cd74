// make_lincheck CALLS FILE: writes FILE and FILE.idx, for measuring by hand.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/make_lincheck.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: make_lincheck CALLS FILE\n", stderr);
    return 2;
  }
  std::FILE* data = std::fopen(argv[2], "wb");
  std::FILE* index = std::fopen((std::string(argv[2]) + ".idx").c_str(), "wb");
  if (data == nullptr || index == nullptr) {
    std::perror(argv[2]);
    return 1;
  }
  const auto sink = [](std::FILE* file) {
    return [file](std::span<const std::byte> bytes) {
      if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
        std::perror("write");
        std::exit(1);
      }
    };
  };
  const cinderscope::LincheckShape shape{.calls = std::strtoull(argv[1], nullptr, 10)};
  cinderscope::make_lincheck(shape, sink(data), sink(index));
  return std::fclose(data) == 0 && std::fclose(index) == 0 ? 0 : 1;
}
