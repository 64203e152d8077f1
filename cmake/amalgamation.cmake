# SPDX-License-Identifier: Apache-2.0
# The whole library for devices as one source file and one header.
# Only this target needs Python.

file(GLOB_RECURSE SAMARA_HEADERS CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
file(GLOB SAMARA_AMALGAMATION_TOOLS CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/tools/source_packages/*.py)
set(samara_amalgamation ${PROJECT_BINARY_DIR}/amalgamation)
add_custom_command(
  OUTPUT ${samara_amalgamation}/samara.c ${samara_amalgamation}/samara.h
  COMMAND ${PROJECT_SOURCE_DIR}/tools/amalgamate
          --core ${CMAKE_CURRENT_SOURCE_DIR} --output ${samara_amalgamation}
  DEPENDS ${PROJECT_SOURCE_DIR}/tools/amalgamate ${SAMARA_AMALGAMATION_TOOLS}
          ${PROJECT_SOURCE_DIR}/CMakeLists.txt ${SAMARA_SOURCES} ${SAMARA_HEADERS}
  COMMENT "Writing the amalgamation: samara.c and samara.h"
  VERBATIM)
add_custom_target(amalgamation DEPENDS ${samara_amalgamation}/samara.c
                                       ${samara_amalgamation}/samara.h)
