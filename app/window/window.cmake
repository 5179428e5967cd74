# The window: GLFW with an OpenGL loader, or a page, and embedded fonts. Included by app/CMakeLists.txt.
enable_language(C)
set(glsl "330 core")
if(CINDERSCOPE_SYSTEM STREQUAL web)
  # A page in place of GLFW, and no loader.
  list(FILTER window_sources EXCLUDE REGEX "/window/(window|display/window_(icon|input))\\.cc$")
  set(glsl "300 es")
else()
  list(FILTER window_sources EXCLUDE REGEX "/window/web/")
  include(window/opengl.cmake)
endif()
set_property(SOURCE window/display/list_painter.cc APPEND PROPERTY COMPILE_DEFINITIONS CINDERSCOPE_GLSL="${glsl}")

set(CINDERSCOPE_ICON ${CMAKE_SOURCE_DIR}/assets/cinderscope.png)
set_source_files_properties(window/display/window_icon.cc PROPERTIES
  COMPILE_DEFINITIONS "CINDERSCOPE_ICON=\"${CINDERSCOPE_ICON}\";${embedding}" OBJECT_DEPENDS ${CINDERSCOPE_ICON})

if(CINDERSCOPE_SYSTEM STREQUAL posix)
  find_package(X11 REQUIRED)  # asked which keys are held at a drop
  pkg_check_modules(XCB REQUIRED IMPORTED_TARGET xcb)  # the clipboard for pictures
  pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
  set(display_libraries X11::X11 PkgConfig::XCB PkgConfig::FONTCONFIG)
elseif(CINDERSCOPE_SYSTEM STREQUAL windows)
  set(display_libraries dwrite)
endif()
add_library(cinderscope_window STATIC ${window_sources})
target_compile_definitions(cinderscope_window PRIVATE GLFW_INCLUDE_NONE)
target_link_libraries(cinderscope_window PUBLIC cinderscope_app cinderscope_views
  PRIVATE fmt::fmt ${window_libraries} ${display_libraries})
cinderscope_precompile(cinderscope_window)
cinderscope_by_folder(cinderscope_window)
target_link_libraries(cinderscope PRIVATE cinderscope_window)
target_compile_definitions(cinderscope PRIVATE CINDERSCOPE_WINDOW)
