# Gathers licences: our own, then those of what goes into the program itself, as Debian's packages of
# it tell them. What is linked as a shared library has a package, and so a licence, of its own.
set(linked_in libimgui-dev libstb-dev python3-glad libcli11-dev libasio-dev libprotozero-dev libiberty-dev
  fonts-inter fonts-jetbrains-mono fonts-fork-awesome)

# cinderscope_copyright(FILE PACKAGE…)
function(cinderscope_copyright out)
  file(READ ${CMAKE_SOURCE_DIR}/LICENSE text)
  string(PREPEND text "Cinderscope\n\n")
  foreach(package IN LISTS ARGN)
    if(EXISTS /usr/share/doc/${package}/copyright)
      file(READ /usr/share/doc/${package}/copyright licence)
      string(APPEND text "\n\n==== ${package} ====\n\n${licence}")
    else()
      message(STATUS "No licence of ${package} is found: the copyright file lacks it")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${out} CONTENT "@text@" @ONLY)
endfunction()
