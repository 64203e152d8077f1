# SPDX-License-Identifier: Apache-2.0
# samara_extension(TARGET PACKAGE SOURCES...): an extension module `_core` of
# the package, made with nanobind and the C library.

enable_language(CXX)

# The interpreter of the virtual environment, if there is one.
set(Python_FIND_VIRTUALENV FIRST)
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(
  COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

function(samara_extension target package)
  nanobind_add_module(${target} NB_STATIC NB_SUPPRESS_WARNINGS ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME _core)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion)
  if(SAMARA_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  target_link_libraries(${target} PRIVATE samara)
  install(TARGETS ${target}
          LIBRARY DESTINATION samara/${package}
          COMPONENT python)
endfunction()
