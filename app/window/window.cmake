# The window: GLFW, an OpenGL loader made by glad, embedded fonts. Included by app/CMakeLists.txt.
enable_language(C)
find_package(glfw3 3.3 REQUIRED)
find_package(OpenGL REQUIRED)

# glad comes as a generator only; Debian's is a Python module of the system's own interpreter.
set(CINDERSCOPE_GLAD_PYTHON /usr/bin/python3 CACHE FILEPATH "Python that has the glad module")
set(glad_dir ${CMAKE_CURRENT_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMAND ${CINDERSCOPE_GLAD_PYTHON} -m glad --quiet --api gl:core=3.3 --reproducible
          --out-path ${glad_dir} c
  COMMENT "Generating the OpenGL loader"
  VERBATIM)
add_library(cinderscope_glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(cinderscope_glad SYSTEM PUBLIC ${glad_dir}/include)

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
  PRIVATE fmt::fmt glfw cinderscope_glad OpenGL::GL ${display_libraries})
cinderscope_precompile(cinderscope_window)
cinderscope_by_folder(cinderscope_window)
target_link_libraries(cinderscope PRIVATE cinderscope_window)
target_compile_definitions(cinderscope PRIVATE CINDERSCOPE_WINDOW)
