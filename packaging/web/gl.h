// OpenGL as a page has it, in place of glad's header: WebGL 2, whose functions need no loading.
#pragma once
#include <GLES3/gl3.h>

// It lacks this one, which Dear ImGui with indices of 32 bits calls for nothing: vertices begin at
// the first.
static inline void glDrawElementsBaseVertex(GLenum mode, GLsizei count, GLenum type,
                                            const void* indices, GLint first) {
  (void)first;
  glDrawElements(mode, count, type, indices);
}
