# `alnsmith search` and `merge`, as users run them.
foreach(name search search_fit search_parts search_usage)
  add_executable(test_${name} test_${name}.cpp)
  target_link_libraries(test_${name} PRIVATE alnsmith_tool alnsmith_tool_testing GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE ALNSMITH_DATA_DIR="${ALNSMITH_DATA_DIR}")
  add_dependencies(test_${name} alnsmith_program)
  add_dependencies(tests-of-threads test_${name})
  discover_tests(test_${name} TEST_PREFIX "search." PROPERTIES LABELS quick-threads TIMEOUT 300
    ENVIRONMENT "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/test-cache")
endforeach()

# The page's commands print what it says.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND TARGET alnsmith-generate)
  add_test(NAME search.page
           COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/page.py" "$<TARGET_FILE:alnsmith_program>"
                   "${PROJECT_SOURCE_DIR}/docs/search.md" "${ALNSMITH_DATA_DIR}")
  set_tests_properties(search.page PROPERTIES LABELS quick TIMEOUT 300 SKIP_RETURN_CODE 77 PROCESSOR_AFFINITY ON
    ENVIRONMENT "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/test-cache")
endif()
if(Python3_FOUND)
  add_test(NAME search.blast6
           COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/blast6.py" "$<TARGET_FILE:alnsmith_program>"
                   "${PROJECT_SOURCE_DIR}/tests/data/protein_queries.fasta" "${PROJECT_SOURCE_DIR}/tests/data/protein_targets.fasta.gz")
  set_tests_properties(search.blast6 PROPERTIES LABELS quick TIMEOUT 120 SKIP_RETURN_CODE 77 PROCESSOR_AFFINITY ON
    ENVIRONMENT "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/test-cache")
endif()
