# Included by assets/CMakeLists.txt: what the program says of its command line, as files. The program
# prints them while it is installed; one that was built for another machine cannot.
if(CMAKE_CROSSCOMPILING)
  return()
endif()
set(help_dir ${CMAKE_CURRENT_BINARY_DIR}/help)
file(MAKE_DIRECTORY ${help_dir})
install(CODE "
  foreach(kind man bash zsh fish)
    execute_process(COMMAND \"$<TARGET_FILE:cinderscope>\" help-text \${kind}
      OUTPUT_FILE \"${help_dir}/\${kind}\" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR \"The program does not print its help (\${status}).\")
    endif()
  endforeach()
  execute_process(COMMAND gzip -9nf \"${help_dir}/man\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT program)
install(FILES ${help_dir}/man.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME cinderscope.1.gz COMPONENT program)
install(FILES ${help_dir}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME cinderscope COMPONENT program)
install(FILES ${help_dir}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  RENAME _cinderscope COMPONENT program)
install(FILES ${help_dir}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  RENAME cinderscope.fish COMPONENT program)
