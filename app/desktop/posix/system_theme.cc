#include "app/desktop/system_theme.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/desktop/posix/theme_text.h"
#include "ingest/base/ascii.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMaxIniBytes = 1 << 16;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::string printed_by(const char* command) {
  std::string text;
  const auto close = [](FILE* file) { pclose(file); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen(command, "r"), close);
  if (!pipe) return text;
  std::array<char, 256> piece{};
  while (text.size() < 4096) {
    const std::size_t got = std::fread(piece.data(), 1, piece.size(), pipe.get());
    if (got == 0) break;
    text.append(piece.data(), got);
  }
  return text;
}

std::string ini_text() {
  std::string folder = variable("XDG_CONFIG_HOME");
  if (folder.empty()) folder = variable("HOME") + "/.config";
  for (const char* version : {"/gtk-4.0", "/gtk-3.0"}) {
    std::ifstream file(folder + version + "/settings.ini", std::ios::binary);
    std::string text(kMaxIniBytes, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (!text.empty()) return text;
  }
  return {};
}

// The value of `key` in lines of "key = value"; the last one counts.
std::string ini_value(std::string_view ini, std::string_view key) {
  std::string value;
  while (!ini.empty()) {
    const std::size_t end = std::min(ini.find('\n'), ini.size());
    const std::string_view line = ini.substr(0, end);
    ini.remove_prefix(std::min(end + 1, ini.size()));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const auto trimmed = [](std::string_view part) {
      const auto first = part.find_first_not_of(" \t\r\"");
      if (first == std::string_view::npos) return std::string_view();
      return part.substr(first, part.find_last_not_of(" \t\r\"") - first + 1);
    };
    if (trimmed(line.substr(0, equals)) == key)
      value = ascii_lower(trimmed(line.substr(equals + 1)));
  }
  return value;
}

std::optional<ThemeKind> theme_from_name(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const bool dark = name.ends_with(":dark") || name.ends_with("-dark");
  return dark ? ThemeKind::dark : ThemeKind::light;
}

}  // namespace

std::optional<ThemeKind> theme_from_portal(std::string_view printed) {
  const std::size_t at = printed.find("uint32 ");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view number = printed.substr(at + 7, 2);
  if (number.starts_with('1')) return ThemeKind::dark;
  if (number.starts_with('2')) return ThemeKind::light;
  return std::nullopt;
}

std::optional<ThemeKind> theme_from_gtk(std::string_view gtk_theme, std::string_view settings_ini) {
  if (const auto named = theme_from_name(ascii_lower(gtk_theme))) return named;
  const std::string prefers = ini_value(settings_ini, "gtk-application-prefer-dark-theme");
  if (prefers == "1" || prefers == "true") return ThemeKind::dark;
  if (const auto named = theme_from_name(ini_value(settings_ini, "gtk-theme-name"))) return named;
  if (!prefers.empty()) return ThemeKind::light;
  return std::nullopt;
}

// Asks the portal, then GTK's settings.
ThemeKind system_theme() {
  // Without a session there is nobody to ask, and asking would start a bus of its own.
  if (!variable("DBUS_SESSION_BUS_ADDRESS").empty()) {
    constexpr const char* kAsk =
        "gdbus call --session --timeout 2 --dest org.freedesktop.portal.Desktop"
        " --object-path /org/freedesktop/portal/desktop"
        " --method org.freedesktop.portal.Settings.Read"
        " org.freedesktop.appearance color-scheme 2>/dev/null";
    if (const auto said = theme_from_portal(printed_by(kAsk))) return *said;
  }
  return theme_from_gtk(variable("GTK_THEME"), ini_text()).value_or(ThemeKind::dark);
}

}  // namespace cinderscope
