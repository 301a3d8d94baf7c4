# The parts of `alnsmith tune report`'s page, embedded in the program. D3 is Debian's node-d3 (any of 5 to 7 serves);
# without it the program is built all the same and the subcommand says what is missing.
find_file(ALNSMITH_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist NO_DEFAULT_PATH DOC "D3 for tuning reports")
set(page_folder "${CMAKE_CURRENT_LIST_DIR}/page")
set(page_parts page.html style.css d3_licence.txt common.js heat_map.js distribution.js lengths.js effect.js tables.js
    summary.js main.js)
list(TRANSFORM page_parts PREPEND "${page_folder}/")
if(ALNSMITH_D3)
  list(APPEND page_parts "${ALNSMITH_D3}")
  install(FILES "${page_folder}/d3_licence.txt" DESTINATION "${CMAKE_INSTALL_DOCDIR}")  # the program carries D3
else()
  message(STATUS "No D3 (Debian's node-d3): `alnsmith tune report` will say so")
endif()
set(page_embedded "${CMAKE_CURRENT_BINARY_DIR}/tune_page.cpp")
add_custom_command(OUTPUT "${page_embedded}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${page_embedded}" -DFUNCTION=alnsmith::tool::tune::page_parts
          "-DFILES=${page_parts}" -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
  DEPENDS ${page_parts} "${PROJECT_SOURCE_DIR}/cmake/embed.cmake" VERBATIM)
target_sources(alnsmith_tune PRIVATE "${page_embedded}")
