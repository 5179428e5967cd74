#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"
#include "ingest/format/format.h"
#include "ingest/format/neighbours.h"
#include "ingest/input/input_text.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  std::string_view what;
};

// Files that people drop by mistake, and those that need one step before they can be opened.
constexpr std::array kSignatures = {
    Signature{0, "\x89PNG\r\n\x1a\n"sv, "a PNG image"},
    Signature{0, "\xff\xd8\xff"sv, "a JPEG image"},
    Signature{0, "GIF8"sv, "a GIF image"},
    Signature{8, "WEBP"sv, "a WebP image"},
    Signature{0,
              "\x7f"
              "ELF"sv,
              "an ELF program or library"},
    Signature{0, "MZ"sv, "a Windows program or library"},
    Signature{0, "\xcf\xfa\xed\xfe"sv, "a macOS program or library"},
    Signature{0, "\xca\xfe\xba\xbe"sv, "a Java class file or a macOS program"},
    Signature{0, "%PDF-"sv, "a PDF document"},
    Signature{0, "PK\x03\x04"sv, "a zip archive (or a jar); unpack it and open the trace inside"},
    Signature{0, "PK\x05\x06"sv, "an empty zip archive"},
    Signature{0, "7z\xbc\xaf\x27\x1c"sv, "a 7z archive; unpack it and open the trace inside"},
    Signature{0, "Rar!"sv, "a rar archive; unpack it and open the trace inside"},
    Signature{0,
              "\xfd"
              "7zXZ\0"sv,
              "compressed with xz; unpack it first (unxz)"},
    Signature{0, "BZh"sv, "compressed with bzip2; unpack it first (bunzip2)"},
    Signature{0, "\x02\x21\x4c\x18"sv, "compressed in lz4's old format; unpack it first (unlz4)"},
    Signature{257, "ustar"sv, "a tar archive; unpack it and open the trace inside"},
    Signature{0, "SQLite format 3\0"sv, "an SQLite database"},
    Signature{0, "PERFILE2"sv, "a recording of perf; export it first (perf script)"},
    Signature{0, "FLR\0"sv, "a Java Flight Recorder recording"},
    Signature{0, "\x1f\x8b"sv, "compressed more often than is unpacked here"},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "compressed more often than is unpacked here"},
    Signature{0, "\x04\x22\x4d\x18"sv, "compressed more often than is unpacked here"},
};

bool starts_in_any_case(std::string_view text, std::string_view with) {
  return equals_in_any_case(text.substr(0, with.size()), with);
}

bool is_text(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f');
  });
}

std::string first_bytes_as_hex(std::string_view head) {
  std::string hex;
  for (const char c : head.substr(0, 8)) {
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return hex;
}

std::string text_kind(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n\f");
  if (first == std::string_view::npos) return "text of nothing but blanks";
  const std::string_view text = head.substr(first);
  if (starts_in_any_case(text, "<!doctype html") || starts_in_any_case(text, "<html")) {
    return "an HTML page (was a download page saved instead of the trace?)";
  }
  if (text.starts_with("<?xml") || text.starts_with("<")) return "an XML or HTML document";
  if (text.starts_with("{") || text.starts_with("[")) return "JSON, but without trace events";
  return "plain text";
}

// What the content seems to be, to follow "is ".
std::string content_kind(std::string_view head) {
  for (const Signature& signature : kSignatures) {
    if (head.size() > signature.offset &&
        head.substr(signature.offset).starts_with(signature.bytes)) {
      return std::string(signature.what);
    }
  }
  if (head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv)) {
    return "text in UTF-16; save it as UTF-8";
  }
  if (std::all_of(head.begin(), head.end(), [](char c) { return c == '\0'; })) {
    return "nothing but zero bytes, as after a failed copy";
  }
  if (is_text(head)) return text_kind(head);
  return fmt::format("an unknown binary format (starts with {})", first_bytes_as_hex(head));
}

std::string expected_formats(const std::vector<const Format*>& formats) {
  std::string list;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    list += fmt::format("{}{}",
                        i == 0                    ? ""
                        : i + 1 == formats.size() ? " and "
                                                  : ", ",
                        formats[i]->description());
  }
  return fmt::format("Cinderscope opens {} traces, plain or compressed (gzip, zstd, lz4).", list);
}

}  // namespace

std::string no_trace_among(std::size_t files) {
  return files == 1 ? "has 1 file, and it is not a trace"
                    : fmt::format("has {} files, and none of them is a trace", files);
}

namespace {

Error not_recognised(const std::vector<const Format*>& formats, const Input& input) {
  const auto error = [&](std::string text) {
    return Error{ErrorCode::not_recognised, std::move(text), expected_formats(formats)};
  };
  if (input.is_folder()) {
    const std::size_t count = input.files().size();
    return error(count == 0
                     ? fmt::format("The folder \"{}\" has no files.", input.name())
                     : fmt::format("The folder \"{}\" {}.", input.name(), no_trace_among(count)));
  }
  const std::span<const std::byte> head = input.head();
  if (head.empty()) {
    const Diagnostics damage = input.damage();
    const auto& problems = damage.by_code();
    if (problems.empty()) {
      return Error{ErrorCode::not_recognised,
                   fmt::format("\"{}\" is empty (0 bytes).", input.name()),
                   "The recording program may not have written anything yet."};
    }
    return error(fmt::format("Nothing could be read from \"{}\": {}", input.name(),
                             problems.begin()->second.text));
  }
  return error(fmt::format("\"{}\" is not a trace: it is {}.", input.name(),
                           content_kind(text_of_bytes(head))));
}

}  // namespace

Result<const Format*> detect(const std::vector<const Format*>& formats, const Input& input) {
  const Format* surest = nullptr;
  Match best = Match::no;
  for (const Format* format : formats) {
    const Match match = format->probe(input);
    if (match <= best) continue;
    best = match;
    surest = format;
  }
  if (best != Match::certain) {
    // Some of them look a little like a trace.
    if (const std::string kind = neighbour_kind(head_text(input)); !kind.empty()) {
      return Error{ErrorCode::not_recognised,
                   fmt::format("\"{}\" is not a trace: it is {}.", input.name(), kind),
                   expected_formats(formats)};
    }
  }
  if (surest == nullptr) return not_recognised(formats, input);
  return surest;
}

}  // namespace cinderscope
