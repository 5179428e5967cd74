#include "app/script/input_event.h"

#include <gtest/gtest.h>

#include <string_view>

namespace cinderscope {
namespace {

KeyChanged pressed(std::string_view chord) {
  return {.chord = parse_chord(chord).value_or(KeyChord{}), .down = true};
}
KeyChanged released(std::string_view chord) {
  KeyChanged event = pressed(chord);
  event.down = false;
  return event;
}

// How many events each frame takes.
std::vector<std::size_t> frames_of(InputQueue queue) {
  std::vector<std::size_t> frames;
  while (!queue.empty()) frames.push_back(take_for_frame(queue).size());
  return frames;
}

using Frames = std::vector<std::size_t>;

TEST(InputEventTest, APressAndItsReleaseAreSeenByDifferentFrames) {
  const ButtonChanged down{MouseButton::left, true, {}}, up{MouseButton::left, false, {}};
  EXPECT_EQ(frames_of({PointerMoved{}, down, up}), (Frames{2, 1}));
  EXPECT_EQ(frames_of({pressed("W"), released("W")}), (Frames{1, 1}));
}

// However slow frames are, nothing of what is typed into a field that a key opens is lost.
TEST(InputEventTest, TextBehindAKeyThatMovesTheFocusWaits) {
  EXPECT_EQ(frames_of({pressed("Ctrl+F"), CharacterTyped{U'c'}, CharacterTyped{U'a'}}),
            (Frames{1, 2}));
  EXPECT_EQ(frames_of({pressed("Tab"), pressed("A"), CharacterTyped{U'a'}}), (Frames{2, 1}));
  // The character of the key itself belongs to where the focus was.
  EXPECT_EQ(frames_of({pressed("/"), CharacterTyped{U'/'}, CharacterTyped{U'c'}}), (Frames{2, 1}));
}

TEST(InputEventTest, OrdinaryTextIsTakenAtOnce) {
  EXPECT_EQ(frames_of({pressed("A"), CharacterTyped{U'a'}, pressed("B"), CharacterTyped{U'b'},
                       pressed("Space"), CharacterTyped{U' '}}),
            (Frames{6}));
}

}  // namespace
}  // namespace cinderscope
