# Kernels of one's own specs in one's own targets:
#
#   alnsmith_add_kernels(TARGET <target> SPECS <spec.yaml>... [TARGETS <cpu target>...] [DEPENDS <file>...])
#
# While building, generates the kernels of each spec for each CPU target (default: all of the machine that is built for),
# compiles them with flags of their own, whatever <target>'s are, and puts them into <target>.
# The target can then include "<spec>.kernels.h" (<spec>: the file's name without .yaml), which declares
# alnsmith_kernels_<spec>, and so can whatever links <target> where that is a static library:
#
#   auto aligner = alnsmith::Aligner::open_linked(alnsmith_kernels_my);    // <target> links alnsmith::alnsmith
#
# Nothing is read at run time. A change of a spec, of the matrix file that it names, of DEPENDS or of the generator
# makes its texts anew; only texts that differ are compiled again.
#
# The generator is ALNSMITH_GENERATE_EXECUTABLE where that is set, else alnsmith::generate. When cross-compiling the
# package's own cannot run here: set ALNSMITH_GENERATE_EXECUTABLE to one of this machine, or have it on PATH.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)
include("${CMAKE_CURRENT_LIST_DIR}/kernel_flags.cmake")

# Sets `out` to the program to run.
function(_alnsmith_find_generator out)
  if(NOT ALNSMITH_GENERATE_EXECUTABLE AND TARGET alnsmith::generate AND NOT CMAKE_CROSSCOMPILING)
    set(${out} "$<TARGET_FILE:alnsmith::generate>" PARENT_SCOPE)
    return()
  endif()
  find_program(ALNSMITH_GENERATE_EXECUTABLE alnsmith-generate NO_PACKAGE_ROOT_PATH NO_CMAKE_PATH NO_CMAKE_FIND_ROOT_PATH
               DOC "alnsmith's generator of kernels; runs on this machine")
  if(NOT ALNSMITH_GENERATE_EXECUTABLE)
    message(FATAL_ERROR "alnsmith_add_kernels: no alnsmith-generate that runs here; install it (Debian package "
                        "alnsmith-generate) or set ALNSMITH_GENERATE_EXECUTABLE to its path")
  endif()
  get_property(said GLOBAL PROPERTY _alnsmith_generator_version)
  if(NOT said STREQUAL ALNSMITH_GENERATE_EXECUTABLE)
    execute_process(COMMAND "${ALNSMITH_GENERATE_EXECUTABLE}" --version OUTPUT_VARIABLE version RESULT_VARIABLE status
                    ERROR_VARIABLE why OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
    if(NOT status STREQUAL "0")
      message(FATAL_ERROR "ALNSMITH_GENERATE_EXECUTABLE: ${ALNSMITH_GENERATE_EXECUTABLE} does not run on this machine "
                          "(${status} ${why}); set it to one that does")
    endif()
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor "${version}")
    if(alnsmith_VERSION AND NOT alnsmith_VERSION MATCHES "^${minor}\\.")
      message(FATAL_ERROR "ALNSMITH_GENERATE_EXECUTABLE: ${ALNSMITH_GENERATE_EXECUTABLE} is version ${version}, the "
                          "library ${alnsmith_VERSION}; take a generator of the library's version")
    endif()
    set_property(GLOBAL PROPERTY _alnsmith_generator_version "${ALNSMITH_GENERATE_EXECUTABLE}")
  endif()
  set(${out} "${ALNSMITH_GENERATE_EXECUTABLE}" PARENT_SCOPE)
endfunction()

# Only what stays the same whether an object or a shared object is made.
function(_alnsmith_object_flags out)
  set(flags "${ALNSMITH_KERNEL_FLAGS}")
  list(REMOVE_ITEM flags -x c++ -std=c++17 -fPIC -shared -nostdlib -Wl,-s)
  set(${out} "${flags};-fno-lto;-fno-sanitize=all" PARENT_SCOPE)
endfunction()

function(alnsmith_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "SPECS;TARGETS;DEPENDS")
  set(usage "alnsmith_add_kernels(TARGET target SPECS spec.yaml... [TARGETS cpu-target...] [DEPENDS file...])")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "alnsmith_add_kernels: unknown words ${arg_UNPARSED_ARGUMENTS}; write ${usage}")
  elseif(NOT arg_TARGET OR NOT arg_SPECS)
    message(FATAL_ERROR "alnsmith_add_kernels: TARGET and SPECS are needed; write ${usage}")
  elseif(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "alnsmith_add_kernels: there is no target ${arg_TARGET}; make it first, with add_executable or add_library")
  elseif(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang|IntelLLVM)$")
    message(FATAL_ERROR "alnsmith_add_kernels: kernels need GCC or Clang as the C++ compiler, here it is "
                        "'${CMAKE_CXX_COMPILER_ID}'; enable the language CXX, with one of them")
  endif()
  if(NOT arg_TARGETS)
    set(arg_TARGETS "${ALNSMITH_CPU_TARGETS}")
  endif()
  set(words "")
  foreach(target IN LISTS arg_TARGETS)
    if(NOT target IN_LIST ALNSMITH_CPU_TARGETS)
      message(FATAL_ERROR "alnsmith_add_kernels: TARGETS ${target}: no such CPU target; name some of ${ALNSMITH_CPU_TARGETS}")
    endif()
    list(APPEND words --target "${target}")
  endforeach()
  _alnsmith_find_generator(generator)
  _alnsmith_object_flags(flags)

  foreach(given IN LISTS arg_SPECS)
    get_filename_component(spec "${given}" ABSOLUTE)
    get_filename_component(name "${spec}" NAME_WLE)
    get_source_file_property(made "${spec}" GENERATED)
    if(NOT made AND NOT EXISTS "${spec}")
      message(FATAL_ERROR "alnsmith_add_kernels: SPECS ${given}: no such file")
    endif()
    set(objects "alnsmith_kernels_${arg_TARGET}_${name}")
    if(TARGET "${objects}")
      message(FATAL_ERROR "alnsmith_add_kernels: SPECS ${given}: ${arg_TARGET} has kernels of that name already; rename the file")
    endif()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/alnsmith_kernels/${arg_TARGET}")
    set(texts "")
    foreach(target IN LISTS arg_TARGETS)
      list(APPEND texts "${folder}/${name}-${target}.kernels.cpp")
      set_source_files_properties("${folder}/${name}-${target}.kernels.cpp" PROPERTIES
        COMPILE_OPTIONS "${ALNSMITH_FLAGS_${target}}")
    endforeach()
    list(APPEND texts "${folder}/${name}.kernels.cpp" "${folder}/${name}.kernels.h")
    set(touch "")
    if(NOT CMAKE_GENERATOR MATCHES "Ninja")  # make would run it again and again: texts that stay the same keep their age
      set(touch COMMAND "${CMAKE_COMMAND}" -E touch ${texts})
    endif()
    add_custom_command(OUTPUT ${texts} VERBATIM COMMENT "Generating kernels of ${name}"
      DEPENDS "${spec}" ${arg_DEPENDS} "${generator}" DEPFILE "${folder}/${name}.d"
      COMMAND "${generator}" link "${spec}" ${words} --name "${name}" -o "${folder}" --depfile "${folder}/${name}.d"
        ${touch})

    # A library of their own: neither the target's flags nor its precompiled headers, unity build or linters.
    add_library("${objects}" OBJECT ${texts})
    set_target_properties("${objects}" PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
      POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF INTERPROCEDURAL_OPTIMIZATION OFF
      CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_CPPLINT "" CXX_INCLUDE_WHAT_YOU_USE "" AUTOMOC OFF AUTOUIC OFF AUTORCC OFF)
    target_compile_options("${objects}" PRIVATE ${flags})
    target_include_directories("${objects}" PRIVATE "${folder}" $<TARGET_PROPERTY:alnsmith::alnsmith,INTERFACE_INCLUDE_DIRECTORIES>)
    target_sources("${arg_TARGET}" PRIVATE $<TARGET_OBJECTS:${objects}>)
    target_include_directories("${arg_TARGET}" PUBLIC $<BUILD_INTERFACE:${folder}>)
  endforeach()
endfunction()
cmake_policy(POP)
