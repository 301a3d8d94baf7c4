# Manual pages of the program and each of its subcommands, by help2man from the help texts.
# Usage: cmake -DPROGRAM=... -DHELP2MAN=... -DVERSION=... -DOUT=folder -P man_pages.cmake
# Out: OUT/alnsmith.1, OUT/alnsmith-align.1, OUT/alnsmith-pack-build.1, ...
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${OUT}")
file(MAKE_DIRECTORY "${OUT}")

# help2man names a page after the program that it starts: one of that name, which prints the help of WORDS.
function(man_page)
  set(words ${ARGN})
  list(JOIN words " " spaced)
  set(name alnsmith ${words})
  list(JOIN name "-" name)
  execute_process(COMMAND "${PROGRAM}" help ${words} OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "^[^\n]*" summary "${help}")
  string(REGEX REPLACE "\\.$" "" summary "${summary}")
  set(script "${OUT}/${name}")
  file(WRITE "${script}" "#!/bin/sh\nexec '${PROGRAM}' help ${spaced}\n")
  file(CHMOD "${script}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  execute_process(COMMAND "${HELP2MAN}" --no-info --no-discard-stderr --section=1 "--name=${summary}" "--version-string=${VERSION}"
    "--source=alnsmith ${VERSION}" "--output=${OUT}/${name}.1" "${script}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${script}")
  if(help MATCHES "\nSubcommands:\n(.*)")
    string(REGEX REPLACE "\n\n.*" "" listed "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "(^|\n)  [a-z]+" listed "${listed}")
    foreach(word ${listed})
      string(STRIP "${word}" word)
      if(NOT word STREQUAL "help")
        man_page(${words} ${word})
      endif()
    endforeach()
  endif()
endfunction()
man_page()
