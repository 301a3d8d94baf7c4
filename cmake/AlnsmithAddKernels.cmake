# Kernels of one's own specs in one's own targets:
#
#   alnsmith_add_kernels(TARGET <target> SPECS <spec.yaml>... [TARGETS <cpu target>...] [DEPENDS <file>...]
#                        [COMPILER <program>])
#
# While building, generates the kernels of each spec for each CPU target (default: all of the machine that is built for),
# compiles them with flags of their own, whatever <target>'s are, and puts them into <target>.
# The target can then include "<spec>.kernels.h" (<spec>: the file's name without .yaml), which declares
# alnsmith_kernels_<spec>, and so can whatever links <target> where that is a static library:
#
#   auto aligner = alnsmith::Aligner::open_linked(alnsmith_kernels_my);    // <target> links alnsmith::alnsmith
#
# COMPILER, a name or a path, compiles the texts; else what ALNSMITH_CXX names (a variable of CMake's, or of the
# environment), else the project's own compiler where that is Clang 15 or later, else the first clang++ that the library
# would take at run time, else the project's own: g++ makes kernels up to a third slower. When cross-compiling it is the
# project's own unless one is named.
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

# Sets `out` to the first line of what a compiler says of itself; empty if it does not run.
function(_alnsmith_compiler_version out compiler)
  execute_process(COMMAND "${compiler}" --version OUTPUT_VARIABLE said RESULT_VARIABLE status ERROR_QUIET)
  string(REGEX MATCH "^[^\n]*" said "${said}")
  if(NOT status STREQUAL "0")
    set(said "")
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

# Sets `out` to the compiler of kernel texts; `given`: what COMPILER says.
function(_alnsmith_find_compiler out given)
  set(origin COMPILER)
  if(NOT given)
    set(origin ALNSMITH_CXX)
    set(given "${ALNSMITH_CXX}")
    if(NOT given)
      set(given "$ENV{ALNSMITH_CXX}")
    endif()
  endif()
  set(compiler "${CMAKE_CXX_COMPILER}")
  if(given)
    unset(_alnsmith_compiler)  # a name of our own, and unset: find_program() looks for nothing where a caller has set it
    find_program(_alnsmith_compiler "${given}" NO_CACHE NO_CMAKE_FIND_ROOT_PATH)
    _alnsmith_compiler_version(version "${_alnsmith_compiler}")
    if(NOT version)
      message(FATAL_ERROR "alnsmith_add_kernels: ${origin} ${given}: no such compiler; name one on PATH, or give its path")
    endif()
    execute_process(COMMAND "${_alnsmith_compiler}" -dumpmachine OUTPUT_VARIABLE machine ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT machine MATCHES "^${ALNSMITH_MACHINE}")
      message(FATAL_ERROR "alnsmith_add_kernels: ${origin} ${given}: makes code for ${machine}, not for "
                          "${ALNSMITH_MACHINE}; name a compiler that does")
    endif()
    set(compiler "${_alnsmith_compiler}")
  elseif(NOT CMAKE_CROSSCOMPILING AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND
                                           CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15))
    set(names "${ALNSMITH_KERNEL_COMPILERS}")
    list(FILTER names INCLUDE REGEX "^clang")
    foreach(name IN LISTS names)
      unset(_alnsmith_compiler)
      find_program(_alnsmith_compiler "${name}" NO_CACHE)
      if(_alnsmith_compiler)
        _alnsmith_compiler_version(version "${_alnsmith_compiler}")
        if(version MATCHES "clang version ([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 15)
          set(compiler "${_alnsmith_compiler}")
          break()
        endif()
      endif()
    endforeach()
  endif()
  get_property(said GLOBAL PROPERTY _alnsmith_compilers)
  if(NOT compiler IN_LIST said)
    set_property(GLOBAL APPEND PROPERTY _alnsmith_compilers "${compiler}")
    _alnsmith_compiler_version(version "${compiler}")
    message(STATUS "alnsmith_add_kernels: kernels are compiled by ${compiler} (${version})")
  endif()
  set(${out} "${compiler}" PARENT_SCOPE)
endfunction()

# Only what stays the same whether an object or a shared object is made.
function(_alnsmith_object_flags out)
  set(flags "${ALNSMITH_KERNEL_FLAGS}")
  list(REMOVE_ITEM flags -x c++ -std=c++17 -fPIC -shared -nostdlib -Wl,-s)
  set(${out} "${flags};-fno-lto;-fno-sanitize=all" PARENT_SCOPE)
endfunction()

function(alnsmith_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;COMPILER" "SPECS;TARGETS;DEPENDS")
  set(usage "alnsmith_add_kernels(TARGET target SPECS spec.yaml... [TARGETS cpu-target...] [DEPENDS file...] [COMPILER program])")
  if("COMPILER" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "alnsmith_add_kernels: COMPILER needs a name or a path; write ${usage}")
  elseif(arg_UNPARSED_ARGUMENTS)
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
  _alnsmith_find_compiler(compiler "${arg_COMPILER}")
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
    set(kernels "${texts}")
    list(APPEND texts "${folder}/${name}.kernels.cpp" "${folder}/${name}.kernels.h")
    set(touch "")
    if(NOT CMAKE_GENERATOR MATCHES "Ninja")  # make would run it again and again: texts that stay the same keep their age
      set(touch COMMAND "${CMAKE_COMMAND}" -E touch ${texts})
    endif()
    add_custom_command(OUTPUT ${texts} VERBATIM COMMENT "Generating kernels of ${name}"
      DEPENDS "${spec}" ${arg_DEPENDS} "${generator}" DEPFILE "${folder}/${name}.d"
      COMMAND "${generator}" link "${spec}" ${words} --name "${name}" -o "${folder}" --depfile "${folder}/${name}.d"
        ${touch})

    # Another compiler than the project's has rules of its own.
    if(NOT compiler STREQUAL CMAKE_CXX_COMPILER)
      list(REMOVE_ITEM texts ${kernels})
      set(compiled "")
      foreach(target IN LISTS arg_TARGETS)
        set(stem "${folder}/${name}-${target}.kernels")
        add_custom_command(OUTPUT "${stem}.o" VERBATIM DEPENDS "${stem}.cpp" "${compiler}" COMMENT "Compiling kernels ${name}-${target}"
          COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${compiler}" -x c++ -std=c++17 -fPIC ${flags} ${ALNSMITH_FLAGS_${target}}
            -o "${stem}.o" -c "${stem}.cpp")
        list(APPEND compiled "${stem}.o")
      endforeach()
      add_custom_target("${objects}_compiled" DEPENDS ${compiled})
      set_source_files_properties(${compiled} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
      target_sources("${arg_TARGET}" PRIVATE ${compiled})
      add_dependencies("${arg_TARGET}" "${objects}_compiled")
    endif()

    # A library of their own: neither the target's flags nor its precompiled headers, unity build or linters.
    add_library("${objects}" OBJECT ${texts})
    if(TARGET "${objects}_compiled")
      add_dependencies("${objects}" "${objects}_compiled")  # texts are made once
    endif()
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
