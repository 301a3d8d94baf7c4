# Databases: what they give back, appending, shards, sizes beyond 32 bits, damage, `alnsmith makedb`.
foreach(name database)
  add_executable(test_${name} test_${name}.cpp)
  target_include_directories(test_${name} PRIVATE .. ../../search ../../runtime/src)
  target_link_libraries(test_${name} PRIVATE alnsmith_database GTest::gtest_main)
  add_dependencies(tests-of-threads test_${name})
  discover_tests(test_${name} TEST_PREFIX "search." PROPERTIES LABELS quick-threads TIMEOUT 300)
endforeach()
