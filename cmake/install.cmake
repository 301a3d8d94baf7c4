# What lets other builds find alnsmith: CMake's package, for the build tree and for an installation, and pkg-config's.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/alnsmith")
set(build_folder "${CMAKE_BINARY_DIR}/cmake")  # find_package finds it there with CMAKE_PREFIX_PATH=build

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/alnsmithConfig.cmake.in" "${build_folder}/alnsmithConfig.cmake"
  INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${build_folder}/alnsmithConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
foreach(file cmake/AlnsmithAddKernels.cmake cmake/kernel_flags.cmake cmake/targets.cmake targets/targets.def)
  get_filename_component(name "${file}" NAME)
  configure_file("${PROJECT_SOURCE_DIR}/${file}" "${build_folder}/${name}" COPYONLY)
endforeach()
install(FILES "${build_folder}/alnsmithConfig.cmake" "${build_folder}/alnsmithConfigVersion.cmake"
              "${build_folder}/AlnsmithAddKernels.cmake" "${build_folder}/kernel_flags.cmake"
              "${build_folder}/targets.cmake" "${build_folder}/targets.def"
        DESTINATION "${package_folder}" COMPONENT dev)

install(EXPORT alnsmithTargets NAMESPACE alnsmith:: DESTINATION "${package_folder}" COMPONENT dev)
export(EXPORT alnsmithTargets NAMESPACE alnsmith:: FILE "${build_folder}/alnsmithTargets.cmake")
if(ALNSMITH_STATIC)
  install(EXPORT alnsmithStaticTargets NAMESPACE alnsmith:: DESTINATION "${package_folder}" COMPONENT dev)
  export(EXPORT alnsmithStaticTargets NAMESPACE alnsmith:: FILE "${build_folder}/alnsmithStaticTargets.cmake")
endif()
foreach(component Search Placement)
  string(TOLOWER "${component}" name)
  if(TARGET alnsmith_${name}_archive)
    install(EXPORT alnsmith${component}Targets NAMESPACE alnsmith:: DESTINATION "${package_folder}" COMPONENT dev)
    export(EXPORT alnsmith${component}Targets NAMESPACE alnsmith:: FILE "${build_folder}/alnsmith${component}Targets.cmake")
  endif()
endforeach()
if(ALNSMITH_GENERATOR)
  install(EXPORT alnsmithGenerateTargets NAMESPACE alnsmith:: DESTINATION "${package_folder}" COMPONENT generate)
  export(EXPORT alnsmithGenerateTargets NAMESPACE alnsmith:: FILE "${build_folder}/alnsmithGenerateTargets.cmake")
endif()

file(RELATIVE_PATH ALNSMITH_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" ALNSMITH_PC_UP "${ALNSMITH_PC_UP}")
include("${CMAKE_CURRENT_LIST_DIR}/AlnsmithAddKernels.cmake")
_alnsmith_object_flags(ALNSMITH_PC_KERNEL_FLAGS)
list(JOIN ALNSMITH_PC_KERNEL_FLAGS " " ALNSMITH_PC_KERNEL_FLAGS)
set(pc_files alnsmith)
if(ALNSMITH_STATIC)
  list(APPEND pc_files alnsmith-static)
endif()
foreach(name IN LISTS pc_files)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in" "${build_folder}/${name}.pc" @ONLY)
  install(FILES "${build_folder}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/tests/tsan.supp" DESTINATION "${CMAKE_INSTALL_DATADIR}/alnsmith" COMPONENT dev)

find_program(ALNSMITH_DOXYGEN doxygen)
if(ALNSMITH_DOXYGEN)
  add_custom_target(reference WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM COMMENT "Reference into reference/html"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/reference"
    COMMAND "${CMAKE_COMMAND}" -E env ALNSMITH_VERSION=${PROJECT_VERSION} "ALNSMITH_REFERENCE=${CMAKE_BINARY_DIR}/reference"
            "${ALNSMITH_DOXYGEN}" docs/Doxyfile)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/packages.cmake")
