# SPDX-License-Identifier: Apache-2.0
# Toolchain file: compiles for another machine, and runs what it compiled under
# QEMU, which emulates Linux programs. A preset of CMakePresets.json sets
#   SAMARA_CROSS       prefix of the compiler's name, such as s390x-linux-gnu
#   SAMARA_CROSS_QEMU  QEMU's name of the machine, such as s390x
#   SAMARA_CROSS_RISCV instructions of a RISC-V of 32 bits, such as rv32imac: Debian
#                      has no Linux for it, but picolibc (tests/c/riscv32/start.c)
#   SAMARA_CROSS_CORTEX a Cortex-M as gcc names it, such as cortex-m33. It has no Linux:
#                      QEMU emulates a board (tests/c/cortex_m)
# Programs are static: they need no libraries of the other machine to run.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES
     SAMARA_CROSS SAMARA_CROSS_QEMU SAMARA_CROSS_RISCV
     SAMARA_CROSS_CORTEX)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${SAMARA_CROSS_QEMU})
set(CMAKE_C_COMPILER ${SAMARA_CROSS}-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${SAMARA_CROSS_QEMU}-static)

if(SAMARA_CROSS_RISCV)
  set(picolibc /usr/lib/picolibc/${SAMARA_CROSS})
  set(CMAKE_SYSTEM_NAME Generic)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  add_compile_options(-march=${SAMARA_CROSS_RISCV} -mabi=ilp32
                      -isystem ${picolibc}/include -ftls-model=local-exec)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -march=${SAMARA_CROSS_RISCV}"
         " -mabi=ilp32 -nostartfiles -nostdlib"
         " -L${picolibc}/lib/${SAMARA_CROSS_RISCV}/ilp32")
  set(CMAKE_C_STANDARD_LIBRARIES "-Wl,--start-group -lc -lgcc -Wl,--end-group")
endif()

if(SAMARA_CROSS_CORTEX)
  set(samara_cortex_m ${CMAKE_CURRENT_LIST_DIR}/../tests/c/cortex_m)
  include(${samara_cortex_m}/boards.cmake)
  samara_board(${SAMARA_CROSS_QEMU})
  set(CMAKE_SYSTEM_NAME Generic)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  # As on a device: not to be moved, which the library is otherwise.
  add_compile_options(-mcpu=${SAMARA_CROSS_CORTEX} -mthumb -mfloat-abi=soft -fno-pic)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -mcpu=${SAMARA_CROSS_CORTEX} -mthumb"
         " -mfloat-abi=soft -nostartfiles --specs=rdimon.specs ${samara_memories}"
         " -T ${samara_cortex_m}/link.ld")
  set(CMAKE_CROSSCOMPILING_EMULATOR ${samara_cortex_m}/run;${SAMARA_CROSS_QEMU})
endif()
