# The pack of generic kernels, packs/alnsmith-generic.pack: score-only kernels whose scoring comes with the call, so that a
# spec with scores of its own runs where there is no compiler (docs/packs.md). Every alignment type, gap model and kind of
# scores for each alphabet of ALNSMITH_PREBUILT_GENERIC. Their texts are made by the generator of this build: they would
# double generated/. packs/alnsmith-generic-cigar.pack is the same with whole alignments, for each alphabet of
# ALNSMITH_PREBUILT_GENERIC_CIGAR.
set(folder "${CMAKE_CURRENT_BINARY_DIR}/generic")
set(alphabets "${ALNSMITH_PREBUILT_GENERIC}")
set(cigar_alphabets "${ALNSMITH_PREBUILT_GENERIC_CIGAR}")
include(generic_specs.cmake)

# generic_pack(NAME BEHIND SPEC...): BEHIND, what is built before: each takes all cores
function(generic_pack name behind)
  if(NOT ARGN)
    return()
  endif()
  set(file "${CMAKE_BINARY_DIR}/packs/alnsmith-${name}.pack")
  add_custom_command(OUTPUT "${file}" VERBATIM
    DEPENDS ${ARGN} alnsmith_program alnsmith alnsmith-generate ${behind}
    COMMENT "Building the pack of generic kernels packs/alnsmith-${name}.pack"
    COMMAND "${CMAKE_COMMAND}" -E env "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/pack-cache"
      $<TARGET_FILE:alnsmith_program> pack build ${ARGN} ${words} -o "${file}")
  string(REPLACE - _ target "alnsmith_${name}")
  add_custom_target(${target} ALL DEPENDS "${file}")
  install(FILES "${file}" DESTINATION lib/alnsmith/packs COMPONENT program)
endfunction()
generic_pack(generic "${pack}" ${generic_specs})
set(behind "${pack}")
if(generic_specs)
  list(APPEND behind "${CMAKE_BINARY_DIR}/packs/alnsmith-generic.pack")
endif()
generic_pack(generic-cigar "${behind}" ${generic_cigar_specs})
