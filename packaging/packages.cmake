# What cpack makes: three Debian packages, each of a component. Included by the CMakeLists.txt above.
include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/copyright.cmake)
set(CINDERSCOPE_URL "https://cinderscope.example" CACHE STRING "Where the program is published")
set(CINDERSCOPE_MAINTAINER "The Cinderscope authors <cinderscope@example.org>" CACHE STRING
  "Who answers for the packages")

# The day of the sources, so that the same sources give the same files.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(source_time $ENV{SOURCE_DATE_EPOCH})
else()
  execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE source_time
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(source_time)
  set(ENV{SOURCE_DATE_EPOCH} ${source_time})
endif()
string(TIMESTAMP release_date "%Y-%m-%d" UTC)
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)

# Each package has its own folder of documents.
set(package_dir ${CMAKE_BINARY_DIR}/packaging)
cinderscope_copyright(${package_dir}/cinderscope/copyright ${linked_in})
cinderscope_copyright(${package_dir}/libtsd1/copyright)
cinderscope_copyright(${package_dir}/libtsd-dev/copyright)
foreach(package cinderscope:program libtsd1:libtsd1 libtsd-dev:libtsd_dev)
  string(REPLACE : ";" package ${package})
  list(GET package 0 name)
  list(GET package 1 component)
  file(CONFIGURE OUTPUT ${package_dir}/${name}/changelog @ONLY CONTENT
"@name@ (@PROJECT_VERSION@) unstable; urgency=medium

  * What changed for users is in CHANGELOG.md of package cinderscope.

 -- @CINDERSCOPE_MAINTAINER@  @changelog_date@
")
  execute_process(COMMAND gzip -9nkf ${package_dir}/${name}/changelog COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${package_dir}/${name}/copyright ${package_dir}/${name}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cinderscope COMPONENT program)

# Software centres: the types are those of the desktop file.
file(STRINGS ${CMAKE_SOURCE_DIR}/assets/cinderscope.desktop mime_types REGEX "^MimeType=")
string(REGEX REPLACE "^MimeType=" "" mime_types "${mime_types}")
foreach(type IN LISTS mime_types)
  if(type)
    string(APPEND metainfo_types "    <mediatype>${type}</mediatype>\n")
  endif()
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/metainfo.xml.in ${package_dir}/org.cinderscope.Cinderscope.metainfo.xml @ONLY)
if(CINDERSCOPE_WINDOW)
  install(FILES ${package_dir}/org.cinderscope.Cinderscope.metainfo.xml
    DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cinderscope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${CINDERSCOPE_MAINTAINER}")
set(CPACK_PACKAGE_HOMEPAGE_URL "${CINDERSCOPE_URL}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program libtsd1 libtsd_dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME cinderscope)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "viewer for call traces of any size
Opens traces and profiles of many tools at once, whatever their size: every
thread is a zoomable flame chart, with search, statistics, flame graphs, SQL
and comparisons. It works offline, and nothing leaves the machine.
.
The sub-commands (info, stats, tree, compare, convert, query and others) need
no display.")

set(CPACK_DEBIAN_LIBTSD1_PACKAGE_NAME libtsd1)
set(CPACK_DEBIAN_LIBTSD1_PACKAGE_SECTION libs)
# cpack makes shlibs for all packages or none, and no trigger.
file(WRITE ${package_dir}/libtsd1/shlibs "libtsd 1 libtsd1 (>= ${PROJECT_VERSION})\n")
file(WRITE ${package_dir}/libtsd1/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBTSD1_PACKAGE_CONTROL_EXTRA "${package_dir}/libtsd1/shlibs;${package_dir}/libtsd1/triggers")
set(CPACK_DEBIAN_LIBTSD1_DESCRIPTION "recorder of call traces, shared library
Records what every thread of a C or C++ program does into a thread stream,
a file that Cinderscope shows, also while the program runs or after it was
killed.
.
This package has the shared library, for programs whose own shared libraries
record, too.")

set(CPACK_DEBIAN_LIBTSD_DEV_PACKAGE_NAME libtsd-dev)
set(CPACK_DEBIAN_LIBTSD_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBTSD_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBTSD_DEV_PACKAGE_DEPENDS "libtsd1 (= ${PROJECT_VERSION}), liblz4-dev")
set(CPACK_DEBIAN_LIBTSD_DEV_DESCRIPTION "recorder of call traces, development files
Records what every thread of a C or C++ program does into a thread stream,
a file that Cinderscope shows, also while the program runs or after it was
killed.
.
This package has the headers, the static library, the sources to copy into a
program, files for pkg-config and CMake, and examples.")
include(CPack)
