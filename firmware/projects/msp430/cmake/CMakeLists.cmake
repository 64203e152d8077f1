# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR msp430)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET msp430)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# clang itself would look for the linker of another tool chain.
set(CMAKE_C_LINK_EXECUTABLE "ld.lld <LINK_FLAGS> <OBJECTS> -o <TARGET>")
project(sensor LANGUAGES C)

execute_process(
  COMMAND clang -print-resource-dir
  OUTPUT_VARIABLE clang
  OUTPUT_STRIP_TRAILING_WHITESPACE)
file(GLOB_RECURSE library CONFIGURE_DEPENDS core/*.c)
add_executable(sensor.elf sensor.c board.c start.c text.c support.c divide.c
                          ${library})
target_include_directories(sensor.elf PRIVATE . core core/include)
target_compile_options(
  sensor.elf
  PRIVATE -mmcu=@MCU@
          -mhwmult=16bit
          -std=c11
          -@OPT@
          -Wall
          -Wextra
          -ffreestanding
          -ffunction-sections
          -fdata-sections
          -nostdinc
          -isystem
          ${clang}/include)
set_target_properties(
  sensor.elf PROPERTIES LINK_FLAGS
                        "--gc-sections --script=${CMAKE_SOURCE_DIR}/board.ld"
                        LINK_DEPENDS ${CMAKE_SOURCE_DIR}/board.ld)
