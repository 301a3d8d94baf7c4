# `alnsmith search` and `merge`, as users run them.
foreach(name search search_parts search_usage)
  add_executable(test_${name} test_${name}.cpp)
  target_link_libraries(test_${name} PRIVATE alnsmith_tool alnsmith_tool_testing GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE ALNSMITH_DATA_DIR="${ALNSMITH_DATA_DIR}")
  add_dependencies(test_${name} alnsmith_program)
  add_dependencies(tests-of-threads test_${name})
  discover_tests(test_${name} TEST_PREFIX "search." PROPERTIES LABELS quick-threads TIMEOUT 300
    ENVIRONMENT "ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/test-cache")
endforeach()
