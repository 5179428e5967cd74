// What keys do in an editor, whatever it is for.
#pragma once

#include "app/commands/keys.h"

namespace cinderscope {

class AppContext;
class CodeEditor;

// False: the key means nothing there.
bool take_editor_key(AppContext& app, CodeEditor& editor, const KeyChord& chord);
void type_into(AppContext& app, CodeEditor& editor, char32_t character);

}  // namespace cinderscope
