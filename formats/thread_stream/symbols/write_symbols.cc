#include "formats/thread_stream/symbols/write_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <utility>

#include "formats/thread_stream/symbols/code_addresses.h"
#include "formats/thread_stream/symbols/names_writer.h"
#include "formats/thread_stream/symbols/symbols_output.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope::thread_stream {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPieceBytes = 4u << 20;
constexpr const char* kUsualDebugFolder = "/usr/lib/debug";

Error cancelled() {
  return {ErrorCode::cancelled, "Looking up symbols was cancelled.", {}};
}

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

bool is_file(const fs::path& path) {
  const auto status = file_status(path);
  return status && status->kind == FileKind::regular;
}

class SymbolWriting {
 public:
  SymbolWriting(const Input& trace, const FileHeader& header, const SymbolRequest& request,
                const AskSymbols& ask, LoadContext& context)
      : trace_(trace), header_(header), request_(request), ask_(ask), context_(context) {}

  Result<SymbolReport> run() {
    if (Status read = read_trace(); !read) return read.error();
    const CodeNames names(tables_, nullptr, false);
    Result<CodeAddresses> addresses = code_addresses(trace_, walked_.chunks, names, context_);
    if (!addresses) return addresses.error();
    report_.outside = addresses->outside;
    report_.cut = addresses->cut;
    if (!look_up(*addresses)) return cancelled();
    const bool any = std::ranges::any_of(
        answers_, [](const SymbolAnswer& answer) { return !answer.symbols.empty(); });
    if (!any) return std::move(report_);
    const Result<std::string> written =
        request_.copy_path.empty() ? write_names(*addresses) : write_copy(*addresses);
    if (!written) return written.error();
    report_.written = *written;
    return std::move(report_);
  }

 private:
  bool goes_on() const { return !context_.cancelled(); }

  Status read_trace() {
    OddityCounts ignored;
    const std::function<bool(std::uint64_t)> go_on = [this](std::uint64_t) { return goes_on(); };
    auto walked = walk_chunks(trace_, header_, ignored, go_on);
    if (!walked) return cancelled();
    walked_ = std::move(*walked);
    if (!read_tables(trace_, walked_, tables_, ignored, go_on)) return cancelled();
    Result<std::optional<NamesFile>> beside = read_names_file(trace_, tables_, context_.names());
    if (!beside) return beside.error();
    beside_ = std::move(*beside);
    return ok();
  }

  bool look_up(const CodeAddresses& addresses) {
    const std::size_t count = addresses.modules.size();
    answers_.resize(count);
    report_.modules.resize(count);
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> all = true;
    if (request_.progress) request_.progress(0, count);
    parallel_for(count, context_.jobs(), [&](std::size_t i) {
      if (goes_on()) answers_[i] = ask_about(addresses.modules[i]);
      if (!goes_on()) all = false;
      if (request_.progress) request_.progress(++done, count);
    });
    for (std::size_t i = 0; i < count; ++i) report(addresses.modules[i], answers_[i], i);
    return all;
  }

  std::string path_of(std::uint32_t module) const {
    const Module* known = tables_.modules.find(module);
    return known == nullptr ? std::string() : std::string(tables_.text(known->path));
  }

  SymbolAnswer ask_about(const ModuleAddresses& module) const {
    const Module& known = *tables_.modules.find(module.module);
    const std::string path = path_of(module.module);
    if (known.differs) return {.reason = "the recording tells several build ids of it"};
    SymbolQuestion question{.build_id = hex_of(known.build_id),
                            .debug_folders = request_.debug_folders,
                            .debuginfod = request_.debuginfod,
                            .addresses = module.addresses};
    if (!request_.root.empty()) {
      question.debug_folders.push_back(request_.root + kUsualDebugFolder);
    }
    const std::optional<std::string> given = given_file(path);
    if (given) {
      question.files = {*given};
    } else if (known.build_id.empty()) {
      return {.reason = path.starts_with('/') ? "the recording tells no build id of it"
                                              : "it has no file"};
    } else {
      question.files = files_of(path, question);
    }
    Result<SymbolAnswer> answer = ask_(question, context_.cancel_flag());
    return answer ? std::move(*answer) : SymbolAnswer{.reason = answer.error().text};
  }

  // What the user said about a module of this name or path.
  std::optional<std::string> given_file(const std::string& path) const {
    for (const auto& [name, file] : request_.module_files) {
      if (name == path || cinderscope::path_of(name) == cinderscope::path_of(path).filename())
        return file;
    }
    return std::nullopt;
  }

  std::vector<std::string> files_of(const std::string& path, const SymbolQuestion& question) const {
    std::vector<std::string> files;
    if (path.starts_with('/')) files.push_back(request_.root + path);
    const std::string& id = question.build_id;
    const std::string in_folder =
        fmt::format(".build-id/{}/{}.debug", id.substr(0, 2), id.substr(2));
    files.push_back(fmt::format("{}/{}", kUsualDebugFolder, in_folder));
    for (const std::string& folder : question.debug_folders) {
      files.push_back(fmt::format("{}/{}", folder, in_folder));
    }
    return files;
  }

  void report(const ModuleAddresses& module, const SymbolAnswer& answer, std::size_t i) {
    SymbolReport::Module& line = report_.modules[i];
    line.path = path_of(module.module);
    if (line.path.empty()) line.path = fmt::format("module #{}", module.module);
    if (answer.file != line.path) line.file = answer.file;
    line.addresses = module.addresses.size();
    line.named = answer.symbols.size();
    line.debug_info = answer.debug_info;
    line.reason = answer.reason;
  }

  void add_found(const CodeAddresses& addresses, NamesWriter& out) const {
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      for (const FoundSymbol& symbol : answers_[i].symbols) {
        out.symbol({addresses.modules[i].module, symbol.address}, symbol.frames);
      }
    }
  }

  std::set<Tables::Address> found_places(const CodeAddresses& addresses) const {
    std::set<Tables::Address> places;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      for (const FoundSymbol& symbol : answers_[i].symbols) {
        places.insert({addresses.modules[i].module, symbol.address});
      }
    }
    return places;
  }

  // A file with names alone: what the one in use holds, and what was found.
  Result<std::string> write_names(const CodeAddresses& addresses) {
    const fs::path path = names_path();
    const bool usual = request_.names_path.empty();
    if (usual && is_file(path) && !(beside_ && beside_->readable) && !request_.replace) {
      return refused(
          fmt::format("\"{}\" is no file with names; --force replaces it.", utf8_of(path)));
    }
    static const Tables nothing;
    const bool carries = beside_ && beside_->readable;
    NamesWriter names(carries ? beside_->tables : nothing);
    if (carries) {
      if (Status done = carry_over(found_places(addresses), names); !done) return done.error();
    }
    if (tables_.has_fact("recording")) names.fact("recording", tables_.fact("recording"));
    add_found(addresses, names);
    Result<SymbolsOutput> out = SymbolsOutput::open(request_, path, usual || request_.replace);
    if (!out) return out.error();
    static_cast<void>(out->write(names_file_header()) &&
                      out->write(names.take_chunks(kPlaceBytes)));
    return out->finish();
  }

  fs::path names_path() const {
    if (!request_.names_path.empty()) return cinderscope::path_of(request_.names_path);
    const std::vector<std::string> names = names_beside(trace_);
    return names.empty() ? fs::path()
                         : trace_.path().parent_path() / cinderscope::path_of(names.front());
  }

  // As they are, but for symbols that are known better now, or are of another recording.
  Status carry_over(const std::set<Tables::Address>& better, NamesWriter& out) const {
    const Result<Input> input = Input::from_path(cinderscope::path_of(beside_->path));
    if (!input) return input.error();
    const Result<FileHeader> header = read_file_header(input->head());
    if (!header) return header.error();
    OddityCounts ignored;
    const auto walked =
        walk_chunks(*input, *header, ignored, [this](std::uint64_t) { return goes_on(); });
    if (!walked) return cancelled();
    const auto keeps = [&](Tag tag, std::span<const std::byte> entry) {
      if (tag == Tag::pad || tag == Tag::end) return false;
      if (tag == Tag::fact) return !is_fact(entry, "recording");
      if (tag != Tag::symbol) return true;
      const std::byte* body = entry.data() + kEntryHeaderBytes;
      const Tables::Address place{load_value<std::uint32_t>(body),
                                  load_value<std::uint64_t>(body + 8)};
      return beside_->symbols_fit && !better.contains(place);
    };
    for (const Chunk& chunk : walked->chunks) {
      if (chunk.kind != kTableChunk) continue;
      const auto payload = read_payload(*input, chunk, ignored);
      if (!payload) continue;
      for_each_entry(chunk, *payload, ignored,
                     [&](Tag tag, std::span<const std::byte> entry, std::uint64_t) {
                       if (keeps(tag, entry)) out.entry(entry);
                       return true;
                     });
    }
    return ok();
  }

  static bool is_fact(std::span<const std::byte> entry, std::string_view key) {
    const std::byte* body = entry.data() + kEntryHeaderBytes;
    const auto size = load_value<std::uint32_t>(body);
    if (size != key.size() || entry.size() < kEntryHeaderBytes + 8 + size) return false;
    return std::string_view(reinterpret_cast<const char*>(body) + 8, size) == key;
  }

  // The trace as it is, with tables before all others: chunks may stand in any order, and one that
  // the file's end cuts has to stay the last.
  Result<std::string> write_copy(const CodeAddresses& addresses) {
    NamesWriter names(tables_);
    if (beside_ && beside_->readable) add_managed(beside_->tables, names);
    add_found(addresses, names);
    Result<SymbolsOutput> out =
        SymbolsOutput::open(request_, cinderscope::path_of(request_.copy_path), request_.replace);
    if (!out) return out.error();
    const std::uint64_t size = trace_.size_bytes(), split = header_.first_chunk_at;
    bool good = copy(0, std::min(split, size), *out);
    if (size < split) {
      const std::vector<std::byte> zeros(static_cast<std::size_t>(split - size));
      good = good && out->write(zeros);
    }
    good = good && out->write(names.take_chunks(header_.alignment));
    if (good) copy(split, size, *out);
    if (!goes_on()) return cancelled();
    return out->finish();
  }

  static void add_managed(const Tables& tables, NamesWriter& out) {
    const auto low = [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair); };
    const auto high = [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); };
    for (const auto& [ordinal, name] : tables.assemblies) out.assembly(ordinal, tables.text(name));
    for (const auto& [pair, name] : tables.classes) {
      out.managed_class(high(pair), low(pair), tables.text(name));
    }
    for (const auto& [pair, method] : tables.methods) {
      out.method(high(pair), low(pair), method.class_token, tables.text(method.name));
    }
  }

  bool copy(std::uint64_t from, std::uint64_t to, SymbolsOutput& out) {
    for (std::uint64_t at = from; at < to && goes_on(); at += kPieceBytes) {
      const Result<Pin> pin = trace_.pin(at, std::min(kPieceBytes, to - at));
      if (!pin || !out.write(pin->bytes())) return false;
    }
    return goes_on();
  }

  const Input& trace_;
  const FileHeader& header_;
  const SymbolRequest& request_;
  const AskSymbols& ask_;
  LoadContext& context_;
  WalkedChunks walked_;
  Tables tables_;
  std::optional<NamesFile> beside_;
  std::vector<SymbolAnswer> answers_;  // by module
  SymbolReport report_;
};

}  // namespace

Result<SymbolReport> write_symbols(const Input& trace, const FileHeader& header,
                                   const SymbolRequest& request, const AskSymbols& ask,
                                   LoadContext& context) {
  return SymbolWriting(trace, header, request, ask, context).run();
}

bool has_module_files(const Tables& tables) {
  bool found = false;
  std::size_t looked_at = 0;
  constexpr std::size_t kMostLooks = 1000;
  tables.modules.for_each([&](std::uint32_t, const Module& module) {
    const std::string_view path = tables.text(module.path);
    if (found || module.build_id.empty() || !path.starts_with('/')) return;
    if (++looked_at <= kMostLooks) found = is_file(cinderscope::path_of(path));
  });
  return found;
}

}  // namespace cinderscope::thread_stream
