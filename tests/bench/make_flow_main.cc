// make_flow EVENTS FOLDER [DEPTH [METHODS]]: writes FOLDER/thread-1.flow and FOLDER/ids.properties,
// for measuring by hand. Enters and single exits are events; DEPTH is about how deep calls nest.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

// The layout of formats/flow, written anew so that the reader is measured with something else.
class EventWriter {
 public:
  explicit EventWriter(std::FILE* file) : file_(file) {}

  // Exits wait for the next enter, as the agent's do: never two events of them in a row.
  void enter(std::uint64_t method) {
    flush();
    write(0x80, method);
  }
  void exits(std::uint64_t count) { exits_ += count; }
  void flush() {
    if (exits_ > 0) write(0, exits_ - 1);
    exits_ = 0;
  }

 private:
  void write(unsigned kind, std::uint64_t value) {
    std::fputc(static_cast<int>(kind | (value > 63 ? 0x40 : 0) | (value & 63)), file_);
    if (value <= 63) return;
    for (value >>= 6; value > 127; value >>= 7) {
      std::fputc(static_cast<int>(0x80 | (value & 127)), file_);
    }
    std::fputc(static_cast<int>(value), file_);
  }

  std::FILE* file_;
  std::uint64_t exits_ = 0;
};

struct Random {
  std::uint64_t state = 88172645463325252u;
  std::uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
};

// A method calls few others, again and again, as programs do.
std::uint64_t callee_of(std::uint64_t caller, std::uint64_t choice, std::uint64_t methods) {
  const std::uint64_t few = choice % 8 < 6 ? choice % 2 : choice % 8;
  return (caller * 31 + few * 7919 + 1) % methods;
}

void write_calls(EventWriter& out, std::uint64_t events, std::uint64_t depth,
                 std::uint64_t methods) {
  Random random;
  std::vector<std::uint64_t> open;
  for (std::uint64_t done = 0; done < events;) {
    const std::uint64_t dice = random.next();
    // Deeper than wanted: more is left than entered.
    const bool enters = open.empty() || dice % (2 * depth) >= open.size();
    if (enters) {
      const std::uint64_t caller = open.empty() ? 0 : open.back();
      open.push_back(callee_of(caller, dice >> 20, methods));
      out.enter(open.back());
      ++done;
      continue;
    }
    std::uint64_t count = 1;
    while (count < open.size() && (random.next() & 3) == 0) ++count;
    if (count > events - done) count = events - done;
    out.exits(count);
    open.resize(open.size() - count);
    done += count;
  }
  out.flush();
}

bool write_mapping(const std::string& path, std::uint64_t methods) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  for (std::uint64_t id = 0; id < methods; ++id) {
    const auto number = static_cast<unsigned long long>(id);
    std::fprintf(file, "made.part%llu.Worker%llu#step%llu(ILjava/lang/String;)V=%llu\n",
                 number % 17, number % 301, number, number);
  }
  return std::fclose(file) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fputs("usage: make_flow EVENTS FOLDER [DEPTH [METHODS]]\n", stderr);
    return 2;
  }
  const auto number = [&](int at, std::uint64_t usual) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : usual;
  };
  const std::string folder = argv[2];
  const std::uint64_t depth = number(3, 30), methods = number(4, 1264);
  if (depth == 0 || methods == 0) {
    std::fputs("DEPTH and METHODS are at least 1\n", stderr);
    return 2;
  }
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::FILE* file = std::fopen((folder + "/thread-1.flow").c_str(), "wb");
  if (file == nullptr || !write_mapping(folder + "/ids.properties", methods)) {
    std::perror(folder.c_str());
    return 1;
  }
  EventWriter out(file);
  write_calls(out, number(1, 0), depth, methods);
  return std::fclose(file) == 0 ? 0 : 1;
}
