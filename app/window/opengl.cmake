# GLFW and an OpenGL loader made by glad. Included by window.cmake.
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
set(window_libraries glfw cinderscope_glad OpenGL::GL)
