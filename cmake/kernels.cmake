# How kernel texts become shared objects.
#   alnsmith_kernels(NAME FOLDER TEXTS...)   a build target NAME that compiles TEXTS into FOLDER; sets NAME_FILES
#
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/kernel_flags.cmake")

# A text's stamp (its first lines) gives spec, hash and targets; the object is named as the runtime looks for it:
# <spec>-<first 12 of the hash>-<target>.so. Targets of other machines are left out.
function(alnsmith_kernels name folder)
  set(objects "")
  foreach(text IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${text}")  # a new stamp is a new name
    file(STRINGS "${text}" stamp LIMIT_COUNT 8)
    if(NOT stamp MATCHES "// spec ([^,;]+), hash ([0-9a-f]+);// target ")
      message(FATAL_ERROR "${text}: no stamp of alnsmith-generate; run tools/regenerate")
    endif()
    set(spec "${CMAKE_MATCH_1}")
    string(SUBSTRING "${CMAKE_MATCH_2}" 0 12 hash)
    foreach(line IN LISTS stamp)
      if(NOT line MATCHES "^// target ([^,]+)" OR NOT CMAKE_MATCH_1 IN_LIST ALNSMITH_CPU_TARGETS)
        continue()
      endif()
      set(target "${CMAKE_MATCH_1}")
      set(object "${folder}/${spec}-${hash}-${target}.so")
      file(RELATIVE_PATH shown "${CMAKE_BINARY_DIR}" "${object}")
      add_custom_command(OUTPUT "${object}" DEPENDS "${text}" VERBATIM COMMENT "Compiling kernels ${shown}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
        COMMAND "${CMAKE_CXX_COMPILER}" ${ALNSMITH_KERNEL_FLAGS} ${ALNSMITH_FLAGS_${target}} "${text}" -o "${object}")
      list(APPEND objects "${object}")
    endforeach()
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${objects})
  set(${name}_FILES "${objects}" PARENT_SCOPE)
endfunction()
