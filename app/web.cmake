# Programs for WebAssembly: one without a window, for node and tests, and the page. Included by app/CMakeLists.txt.
# Without assertions in debug builds too: what they say after the program's end goes to a closed standard error, and node
# then ends with status 1.
set(web_link -sASSERTIONS=0 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=64MB -sSTACK_SIZE=4MB
  -sDEFAULT_PTHREAD_STACK_SIZE=2MB -sPROXY_TO_PTHREAD=1 -sEXIT_RUNTIME=1)
add_executable(cinderscope_node main.cc version.cc)
add_dependencies(cinderscope_node cinderscope_commit)
target_include_directories(cinderscope_node PRIVATE ${version_dir})
target_link_libraries(cinderscope_node PRIVATE cinderscope_app CLI11::CLI11)
if(CINDERSCOPE_WINDOW)
  set(web_sample ${CMAKE_SOURCE_DIR}/assets/sample.json.gz)
  target_link_options(cinderscope PRIVATE ${web_link} -lidbfs.js -sENVIRONMENT=web,worker -sPTHREAD_POOL_SIZE=8
    -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sOFFSCREEN_FRAMEBUFFER=1 -sFORCE_FILESYSTEM=1
    -sEXPORTED_RUNTIME_METHODS=FS,ccall,IDBFS --preload-file ${web_sample}@/cinderscope/share/cinderscope/sample.json.gz)
  set_property(TARGET cinderscope APPEND PROPERTY LINK_DEPENDS ${web_sample})
endif()
target_link_options(cinderscope_node PRIVATE ${web_link} -sENVIRONMENT=node,worker -sNODERAWFS=1 -sPTHREAD_POOL_SIZE=8)
