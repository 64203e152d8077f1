# SPDX-License-Identifier: Apache-2.0
# The memory of boards with a Cortex-M that QEMU emulates, by QEMU's names of them:
# where the processor looks for its vectors, where a program has 3 MB, and where heap
# and stack have 8.
function(samara_board name)
  if(name STREQUAL mps2-an505)
    set(places 0x10000000 0x10000400 0x80000000)
  elseif(name STREQUAL mps3-an547)
    set(places 0x10000000 0x11000000 0x70000000)
  elseif(name STREQUAL mps2-an500)
    set(places 0 0x400 0x60000000)
  elseif(name STREQUAL mps2-an386)
    set(places 0 0x400 0x21000000)
  else()
    message(FATAL_ERROR "SAMARA_CROSS_QEMU is '${name}'; choose a board of "
                        "tests/c/cortex_m/boards.cmake.")
  endif()
  list(GET places 0 vectors)
  list(GET places 1 program)
  list(GET places 2 heap)
  set(samara_memories "-Wl,--defsym=vectors_start=${vectors}"
      "-Wl,--defsym=program_start=${program}" "-Wl,--defsym=heap_start=${heap}")
  list(JOIN samara_memories " " samara_memories)
  set(samara_memories "${samara_memories}" PARENT_SCOPE)
endfunction()
