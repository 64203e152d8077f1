# SPDX-License-Identifier: Apache-2.0
# What can be chosen when samara is configured.

option(SAMARA_TESTS "Build the C tests" OFF)
option(SAMARA_TEST_MACHINES
       "Build the C tests for the other machines of SAMARA_MACHINE, too" OFF)
option(SAMARA_PYTHON "Build the Python extension" OFF)
option(SAMARA_FUZZ "Build the libFuzzer targets (clang)" OFF)
option(SAMARA_WERROR "Treat a long list of warnings as errors" OFF)
option(SAMARA_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(SAMARA_CONSTANT_TIME_CHECK
       "Tell valgrind which answers computed from secrets are public" OFF)

set(SAMARA_MACHINE native CACHE STRING
    "Compile as if for another machine: native, portable64, portable32, adding64,
    flash, ssse3, aesni, vaes256, neon")
set_property(CACHE SAMARA_MACHINE PROPERTY STRINGS
             native portable64 portable32 adding64 flash ssse3 aesni vaes256
             neon)
set(SAMARA_MULTIPLIES "" CACHE STRING
    "Whether a product takes one time on the processor compiled for: 1, 0, or
    empty for what core/common/machine.h knows")

# The definitions behind SAMARA_MACHINE: see core/common/machine.h. `flash` has
# the table-driven AES of AVR and MSP430, which leaks its key on any machine with
# a cache: it exists on hosts to be tested, not to be used. ssse3, aesni and
# vaes256 are x86-64 with only some of the sets of core/arch/x86_64/cpu.h, neon is
# AArch64 without the instructions for AES. adding64 is a processor whose products
# take a time that depends on the factors.
set(samara_machine_native "")
if(NOT SAMARA_MULTIPLIES STREQUAL "")
  set(samara_machine_native SAMARA_MULTIPLIES=${SAMARA_MULTIPLIES})
endif()
set(samara_machine_portable64 SAMARA_ARCH_X86_64=0 SAMARA_WORD_BITS=64)
set(samara_machine_portable32 SAMARA_ARCH_X86_64=0 SAMARA_WORD_BITS=32)
set(samara_machine_adding64 SAMARA_ARCH_X86_64=0 SAMARA_WORD_BITS=64
                            SAMARA_MULTIPLIES=0)
set(samara_machine_flash SAMARA_ARCH_X86_64=0 SAMARA_WORD_BITS=32
                         SAMARA_FLASH_TABLES=1 SAMARA_MULTIPLIES=0)
set(samara_machine_ssse3 SAMARA_X86_64_SETS=64)
set(samara_machine_aesni SAMARA_X86_64_SETS=3)
set(samara_machine_vaes256 SAMARA_X86_64_SETS=7)
set(samara_machine_neon SAMARA_AARCH64_AES=0)
if(NOT DEFINED samara_machine_${SAMARA_MACHINE})
  message(FATAL_ERROR
    "SAMARA_MACHINE is '${SAMARA_MACHINE}'; "
    "choose native, portable64, portable32, adding64, flash, ssse3, aesni, vaes256 or neon.")
endif()

# Flags for everything compiled here, the tests included.
add_library(samara_flags INTERFACE)
target_compile_features(samara_flags INTERFACE c_std_11)
if(SAMARA_WERROR)
  target_compile_options(samara_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wcast-qual -Werror>)
endif()
if(SAMARA_CONSTANT_TIME_CHECK)
  # The valgrind of Debian 12 does not read what clang writes by default. It tells
  # lines; to tell where variables are takes gcc twice as long.
  target_compile_options(samara_flags INTERFACE -gdwarf-4 -g1)
endif()
if(SAMARA_SANITIZE)
  # Without it, clang takes half a minute for one file: see common/machine.h.
  target_compile_definitions(samara_flags INTERFACE SAMARA_COMPACT)
  target_compile_options(samara_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g)
  target_link_options(samara_flags INTERFACE -fsanitize=address,undefined)
endif()
