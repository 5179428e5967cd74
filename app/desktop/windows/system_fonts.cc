#include "app/desktop/system_fonts.h"

#include <windows.h>
// After windows.h, which it needs.
#include <dwrite.h>

#include <cstdint>
#include <utility>

#include "app/desktop/windows/wide_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostFonts = 8;

// Of COM: counts its users by itself.
template <class T>
class Shared {
 public:
  Shared() = default;
  ~Shared() {
    if (held_ != nullptr) held_->Release();
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T** to() { return &held_; }
  T* operator->() const { return held_; }
  explicit operator bool() const { return held_ != nullptr; }

 private:
  T* held_ = nullptr;
};

// Where the file of a face lies; empty for one that is no file of this machine.
std::string path_of_face(IDWriteFontFace& face) {
  UINT32 count = 1;
  Shared<IDWriteFontFile> file;
  if (face.GetFiles(&count, file.to()) != S_OK || count != 1) return {};
  const void* key = nullptr;
  UINT32 key_bytes = 0;
  Shared<IDWriteFontFileLoader> loader;
  Shared<IDWriteLocalFontFileLoader> local;
  if (file->GetReferenceKey(&key, &key_bytes) != S_OK || file->GetLoader(loader.to()) != S_OK ||
      loader->QueryInterface(__uuidof(IDWriteLocalFontFileLoader),
                             reinterpret_cast<void**>(local.to())) != S_OK) {
    return {};
  }
  UINT32 length = 0;
  if (local->GetFilePathLengthFromKey(key, key_bytes, &length) != S_OK) return {};
  std::wstring path(length + 1, L'\0');
  if (local->GetFilePathFromKey(key, key_bytes, path.data(), length + 1) != S_OK) return {};
  path.resize(length);
  return narrow(path);
}

}  // namespace

std::vector<SystemFont> system_fonts_with(const std::set<char32_t>& characters) {
  std::vector<SystemFont> fonts;
  Shared<IDWriteFactory> factory;
  Shared<IDWriteFontCollection> all;
  if (DWriteCreateFactory(DWRITE_FACTORY_TYPE_SHARED, __uuidof(IDWriteFactory),
                          reinterpret_cast<IUnknown**>(factory.to())) != S_OK ||
      factory->GetSystemFontCollection(all.to(), FALSE) != S_OK) {
    return fonts;
  }
  std::set<char32_t> left = characters;
  const UINT32 families = all->GetFontFamilyCount();
  for (UINT32 i = 0; i < families && !left.empty() && fonts.size() < kMostFonts; ++i) {
    Shared<IDWriteFontFamily> family;
    Shared<IDWriteFont> font;
    if (all->GetFontFamily(i, family.to()) != S_OK ||
        family->GetFirstMatchingFont(DWRITE_FONT_WEIGHT_NORMAL, DWRITE_FONT_STRETCH_NORMAL,
                                     DWRITE_FONT_STYLE_NORMAL, font.to()) != S_OK) {
      continue;
    }
    SystemFont found;
    for (const char32_t character : left) {
      BOOL has = FALSE;
      if (font->HasCharacter(character, &has) == S_OK && has) found.characters.push_back(character);
    }
    Shared<IDWriteFontFace> face;
    if (found.characters.empty() || font->CreateFontFace(face.to()) != S_OK) continue;
    found.path = path_of_face(*face.operator->());
    found.face = static_cast<int>(face->GetIndex());
    if (found.path.empty()) continue;
    for (const char32_t character : found.characters) left.erase(character);
    fonts.push_back(std::move(found));
  }
  return fonts;
}

std::vector<DrawnCharacter> drawn_characters(const std::set<char32_t>&, float, bool) {
  return {};
}

}  // namespace cinderscope
