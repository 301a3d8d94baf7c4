# Debian packages, by CPack: the library, what is needed to build with it, the program, the generator (which alone needs
# Clang's libraries). `cmake --preset deb && cmake --build --preset deb && cpack --preset deb` makes those to give away.
set(ALNSMITH_CONTACT "alnsmith's maintainers <maintainers@alnsmith.invalid>" CACHE STRING "Who answers for the packages")
set(CPACK_PACKAGE_CONTACT "${ALNSMITH_CONTACT}")
set(CPACK_PACKAGE_VENDOR "alnsmith")
set(CPACK_PACKAGE_NAME alnsmith)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # CPack would put it above that of each package
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL library dev)
if(ALNSMITH_PROGRAM)
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()
if(ALNSMITH_GENERATOR)
  list(APPEND CPACK_COMPONENTS_ALL generate)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

# alnsmith_package(COMPONENT NAME SECTION "first line" "the rest")
set(library_package "libalnsmith${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
macro(alnsmith_package component name section summary description)
  string(TOUPPER "${component}" key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME "${name}")
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION "${section}")
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}")
  # Debian asks for a copyright file in each package; an installation by hand does without.
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" RENAME copyright
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()
alnsmith_package(library "${library_package}" libs "library of forged sequence-alignment kernels"
  "Loads alignment kernels that alnsmith has generated, picks by CPU and device,\nand aligns batches of sequences on all cores and GPUs.")
alnsmith_package(dev libalnsmith-dev libdevel "library of forged sequence-alignment kernels (development files)"
  "Headers for C++ and C, CMake's package with alnsmith_add_kernels, and\npkg-config's file.")
alnsmith_package(program alnsmith science "aligns batches of DNA and protein sequences"
  "Scores queries against targets by a spec in YAML: global, local or\nsemi-global alignment, linear or affine gaps, any alphabet, any matrix.\nReads FASTA and FASTQ.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
# The static library needs the last two to be linked.
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "alnsmith-generate (= ${PROJECT_VERSION}), cmake, libtbb-dev, libssl-dev")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "alnsmith-generate (= ${PROJECT_VERSION}), g++ | clang")
if(ALNSMITH_GENERATOR)
  alnsmith_package(generate alnsmith-generate science "generates sequence-alignment kernels from a spec"
    "Evaluates alnsmith's templates for a spec and prints SIMD and GPU kernels.")
  set(CPACK_DEBIAN_GENERATE_PACKAGE_RECOMMENDS "g++ | clang")
endif()
include(CPack)
