# The pack of generic kernels, packs/alnsmith-generic.pack: score-only kernels whose scoring comes with the call, so that a
# spec with scores of its own runs where there is no compiler (docs/packs.md). Every alignment type, gap model and kind of
# scores for each alphabet of ALNSMITH_PREBUILT_GENERIC. Their texts are made by the generator of this build: they would
# double generated/.
set(folder "${CMAKE_CURRENT_BINARY_DIR}/generic")
set(alphabets "${ALNSMITH_PREBUILT_GENERIC}")
include(generic_specs.cmake)
if(NOT generic_specs)
  return()
endif()

set(generic_pack "${CMAKE_BINARY_DIR}/packs/alnsmith-generic.pack")
add_custom_command(OUTPUT "${generic_pack}" VERBATIM
  DEPENDS ${generic_specs} alnsmith_program alnsmith alnsmith-generate "${pack}"  # after it: each takes all cores
  COMMENT "Building the pack of generic kernels packs/alnsmith-generic.pack"
  COMMAND "${CMAKE_COMMAND}" -E env "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/pack-cache"
    $<TARGET_FILE:alnsmith_program> pack build ${generic_specs} ${words} -o "${generic_pack}")
add_custom_target(alnsmith_generic ALL DEPENDS "${generic_pack}")
install(FILES "${generic_pack}" DESTINATION lib/alnsmith/packs COMPONENT program)
