#include "app/window/display/list_painter.h"

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

constexpr GLuint kPosition = 0, kPlace = 1, kColour = 2;

// In words that OpenGL 3.3 and WebGL 2 share. The corner's place on the screen is `position`, in
// pixels from the upper left. What the pixels' part does not ask for is not worked out.
constexpr const char* kVertex = "#version " CINDERSCOPE_GLSL R"(
precision highp float;
uniform vec2 size;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 colour;
out vec2 at;
out vec4 tint;
void main() {
  at = uv;
  tint = colour;
  gl_Position = vec4(position.x * 2.0 / size.x - 1.0, 1.0 - position.y * 2.0 / size.y, 0.0, 1.0);
})";
constexpr const char* kTexturedPixel = "#version " CINDERSCOPE_GLSL R"(
precision highp float;
uniform sampler2D image;
in vec2 at;
in vec4 tint;
layout(location = 0) out vec4 pixel;
void main() { pixel = tint * texture(image, at); })";
constexpr const char* kPlainPixel = "#version " CINDERSCOPE_GLSL R"(
precision highp float;
in vec4 tint;
layout(location = 0) out vec4 pixel;
void main() { pixel = tint; })";
constexpr const char* kPicturePixel = "#version " CINDERSCOPE_GLSL R"(
precision highp float;
uniform sampler2D image;
in vec2 at;
layout(location = 0) out vec4 pixel;
void main() { pixel = texture(image, at); })";

GLuint compiled(GLenum kind, const char* text) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  return shader;
}

GLuint linked(const char* pixel_text) {
  const GLuint program = glCreateProgram();
  const GLuint vertex = compiled(GL_VERTEX_SHADER, kVertex);
  const GLuint pixel = compiled(GL_FRAGMENT_SHADER, pixel_text);
  glAttachShader(program, vertex);
  glAttachShader(program, pixel);
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(pixel);
  GLint good = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &good);
  if (good == GL_FALSE) std::fputs("OpenGL refuses a shader of this program.\n", stderr);
  return program;
}

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

void ListPainter::open() {
  plain_ = linked(kPlainPixel);
  picture_ = linked(kPicturePixel);
  textured_ = linked(kTexturedPixel);
  glGenVertexArrays(1, &vertex_array_);
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &indices_);
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  for (const GLuint slot : {kPosition, kPlace, kColour}) glEnableVertexAttribArray(slot);
  constexpr GLsizei kStride = sizeof(ImDrawVert);
  glVertexAttribPointer(kPosition, 2, GL_FLOAT, GL_FALSE, kStride,
                        offset(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(kPlace, 2, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(kColour, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride,
                        offset(offsetof(ImDrawVert, col)));
  glBindVertexArray(0);
}

ListPainter::~ListPainter() {
  if (vertex_array_ == 0) return;
  for (const GLuint program : {plain_, picture_, textured_}) glDeleteProgram(program);
  glDeleteVertexArrays(1, &vertex_array_);
  glDeleteBuffers(1, &vertices_);
  glDeleteBuffers(1, &indices_);
}

void ListPainter::use(RunKind kind) {
  const bool flat = kind == RunKind::opaque || kind == RunKind::plain;
  glUseProgram(flat ? plain_ : kind == RunKind::picture ? picture_ : textured_);
  if (kind == RunKind::opaque) {
    glDisable(GL_BLEND);
  } else {
    glEnable(GL_BLEND);
  }
}

// A page waits for each answer of OpenGL: nothing is asked in a frame that has the size of the
// last.
void ListPainter::tell_size(ImVec2 size) {
  if (size.x == told_size_.x && size.y == told_size_.y) return;
  told_size_ = size;
  for (const GLuint program : {plain_, picture_, textured_}) {
    glUseProgram(program);
    glUniform2f(glGetUniformLocation(program, "size"), size.x, size.y);
  }
}

void ListPainter::paint(const ImDrawData& data) {
  const ImVec2 size = data.DisplaySize;
  if (size.x <= 0 || size.y <= 0) return;
  glViewport(0, 0, static_cast<GLsizei>(size.x), static_cast<GLsizei>(size.y));
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glActiveTexture(GL_TEXTURE0);
  glEnable(GL_SCISSOR_TEST);
  tell_size(size);
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  for (int i = 0; i < data.CmdListsCount; ++i) {
    paint(*data.CmdLists[i], size.y);
  }
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
}

void ListPainter::warm_up() {
  glBindVertexArray(vertex_array_);
  const ImDrawVert corners[3] = {};  // all in one place
  const std::uint16_t indices[3] = {0, 1, 2};
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STREAM_DRAW);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(atlas_texture()));
  for (const RunKind kind : {RunKind::opaque, RunKind::plain, RunKind::textured}) {
    use(kind);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
  }
  glBindVertexArray(0);
  glDisable(GL_BLEND);
}

void ListPainter::paint(const ImDrawList& list, float height_px) {
  const std::uint64_t fonts = atlas_texture();
  const ImVec2 white_uv = ImGui::GetIO().Fonts->TexUvWhitePixel;
  glBufferData(GL_ARRAY_BUFFER, list.VtxBuffer.size_in_bytes(), list.VtxBuffer.Data,
               GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer.size_in_bytes(), list.IdxBuffer.Data,
               GL_STREAM_DRAW);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    const ImVec4& clip = command.ClipRect;
    if (clip.z <= clip.x || clip.w <= clip.y || command.ElemCount == 0) continue;
    // OpenGL counts from the lower edge.
    glScissor(static_cast<GLint>(clip.x), static_cast<GLint>(height_px - clip.w),
              static_cast<GLsizei>(clip.z - clip.x), static_cast<GLsizei>(clip.w - clip.y));
    const std::uint64_t texture = texture_name(command);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture));
    if (texture == fonts) {
      split_into_runs(list, command, white_uv, runs_);
    } else {
      runs_ = {run_of_picture(list, command)};
    }
    for (const DrawRun& run : runs_) {
      use(run.kind);
      glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(run.index_count),
                               sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                               offset(run.first_index * sizeof(ImDrawIdx)),
                               static_cast<GLint>(command.VtxOffset));
    }
  }
}

}  // namespace cinderscope
