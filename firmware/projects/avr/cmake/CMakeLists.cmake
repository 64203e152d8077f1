# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(CMAKE_C_COMPILER avr-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
project(@ROLE@ LANGUAGES C)

file(GLOB_RECURSE library CONFIGURE_DEPENDS core/*.c)
add_executable(@ROLE@.elf @SOURCES@ board.c ${library})
target_include_directories(@ROLE@.elf PRIVATE . core core/include)
target_compile_definitions(@ROLE@.elf PRIVATE F_CPU=@CLOCK_HZ@)
target_compile_options(
  @ROLE@.elf PRIVATE -mmcu=@MCU@ -std=gnu11 -@OPT@ -Wall -Wextra
                     -ffunction-sections -fdata-sections -flto)
target_link_options(@ROLE@.elf PRIVATE -mmcu=@MCU@ -@OPT@ -flto -Wl,--gc-sections)
