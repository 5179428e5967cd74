#include "app/window/places/open_items.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "app/desktop/file_uri.h"
#include "app/places/place.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/places/places.h"
#include "app/window/places/shows.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

void open_items(AppContext& app, const std::vector<std::string>& items, ShowOptions shown) {
  Controllers& controllers = app.controllers();
  if (!shown.empty()) controllers.shows->expect(std::move(shown));
  const std::size_t first = app.tabs().all.size();
  const bool shows_first = controllers.shows->expects();
  for (const std::string& item : items) {
    if (is_place(item)) {
      if (const Status gone = controllers.places->go_to(item); !gone) {
        fmt::print(stderr, "{}\n", gone.error().text);
        app.say(gone.error().text);
      }
      continue;
    }
    const bool is_uri = item.starts_with("file://");
    const std::string path = is_uri ? path_of_file_uri(item).value_or(item) : item;
    controllers.tabs->open(utf8_of(path_of(path)));  // with "/" between folders, as all of ours
  }
  if (shows_first && first < app.tabs().all.size()) controllers.tabs->show(first);
}

void open_items(AppContext& app, const std::vector<std::string>& items) {
  std::vector<std::string> files;
  std::vector<ShowWord> words;
  for (const std::string& item : items) {
    if (const auto word = show_word_from(item)) {
      words.push_back(*word);
    } else if (!item.starts_with("--")) {
      files.push_back(item);
    }
  }
  Result<ShowOptions> shown = show_options(words);
  open_items(app, files, shown ? std::move(*shown) : ShowOptions());
}

}  // namespace cinderscope
