# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
project(sensor LANGUAGES C)

set(cpu -mcpu=@MCU@ -mthumb -mfloat-abi=soft)
file(GLOB_RECURSE library CONFIGURE_DEPENDS core/*.c)
add_executable(sensor.elf sensor.c board.c start.c ${library})
target_include_directories(sensor.elf PRIVATE . core core/include)
target_compile_options(
  sensor.elf PRIVATE ${cpu} -std=gnu11 -@OPT@ -Wall -Wextra -ffunction-sections
                     -fdata-sections)
target_link_options(
  sensor.elf PRIVATE ${cpu} -nostartfiles --specs=nano.specs -Wl,--gc-sections
                     -T ${CMAKE_SOURCE_DIR}/board.ld)
