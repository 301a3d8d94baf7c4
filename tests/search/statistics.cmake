# Significance: tables, E, which hits have one, composition, strands and JSON without kernels; simulations and z-values with the specs' own.
add_executable(test_statistics statistics_bits.cpp test_statistics.cpp test_statistics_composition.cpp
  test_statistics_elementary.cpp test_statistics_fit.cpp test_statistics_fit_counts.cpp test_significance.cpp test_strands.cpp)
target_include_directories(test_statistics PRIVATE .. "${PROJECT_SOURCE_DIR}/search")
target_compile_definitions(test_statistics PRIVATE DIAMOND_HITS="${CMAKE_CURRENT_SOURCE_DIR}/diamond_hits.tsv")
target_link_libraries(test_statistics PRIVATE alnsmith_statistics alnsmith_search alnsmith_common GTest::gtest_main)
discover_tests(test_statistics TEST_PREFIX "search." PROPERTIES LABELS quick TIMEOUT 120)

add_test(NAME search.statistics_bits COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/statistics_bits.sh" "${PROJECT_SOURCE_DIR}"
         "${CMAKE_CXX_COMPILER}")
set_tests_properties(search.statistics_bits PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 COST 30)

add_executable(test_statistics_simulated
  statistics_kernels.cpp test_statistics_chance.cpp test_statistics_simulated.cpp test_statistics_z.cpp)
target_include_directories(test_statistics_simulated
  PRIVATE .. "${PROJECT_SOURCE_DIR}/search" "${PROJECT_SOURCE_DIR}/runtime/src")
target_link_libraries(test_statistics_simulated
  PRIVATE alnsmith_statistics alnsmith_base alnsmith_common golden golden_aligner GTest::gtest_main)
target_compile_definitions(test_statistics_simulated PRIVATE ALNSMITH_SPECS="${PROJECT_SOURCE_DIR}/specs")
if(TARGET alnsmith-generate)
  add_dependencies(test_statistics_simulated alnsmith-generate)
  target_compile_definitions(test_statistics_simulated PRIVATE ALNSMITH_GENERATOR_PROGRAM="$<TARGET_FILE:alnsmith-generate>")
else()  # tests that need it are skipped
  target_compile_definitions(test_statistics_simulated PRIVATE ALNSMITH_GENERATOR_PROGRAM="")
endif()
discover_tests(test_statistics_simulated TEST_PREFIX "search." PROPERTIES TIMEOUT 1200 COST 20
  ENVIRONMENT "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/test-cache")
