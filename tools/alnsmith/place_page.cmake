# The parts of the page of `alnsmith place --plot`, embedded in the program; D3 and colours are those of tuning reports.
set(place_page_folder "${CMAKE_CURRENT_LIST_DIR}/place_page")
set(place_page_parts "${place_page_folder}/page.html" "${place_page_folder}/style.css" "${place_page_folder}/tree.js")
set(place_page_embedded "${CMAKE_CURRENT_BINARY_DIR}/place_page.cpp")
add_custom_command(OUTPUT "${place_page_embedded}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${place_page_embedded}" -DFUNCTION=alnsmith::tool::place_page_parts
          "-DFILES=${place_page_parts}" -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
  DEPENDS ${place_page_parts} "${PROJECT_SOURCE_DIR}/cmake/embed.cmake" VERBATIM)
target_sources(alnsmith_tool PRIVATE "${place_page_embedded}")
