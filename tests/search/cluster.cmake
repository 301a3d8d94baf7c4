# Searches on many nodes: the page's commands, Slurm scripts without Slurm, and alnsmith-ray where Ray is installed.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME search.cluster COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/test_cluster.py")
  add_test(NAME search.ray
    COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/ray/run.sh" "${CMAKE_CURRENT_SOURCE_DIR}/ray/test_ray.py")
  set_tests_properties(search.cluster search.ray PROPERTIES TIMEOUT 600
    ENVIRONMENT "ALNSMITH_PROGRAM=$<TARGET_FILE:alnsmith_program>;ALNSMITH_CACHE=${CMAKE_BINARY_DIR}/test-cache"
    ENVIRONMENT_MODIFICATION "ALNSMITH_DATA_DEFAULT=set:${ALNSMITH_DATA_DIR}")
  set_tests_properties(search.ray PROPERTIES PROCESSORS 2 COST 80 SKIP_RETURN_CODE 77)
  set_tests_properties(search.cluster PROPERTIES PROCESSOR_AFFINITY ON)
endif()
