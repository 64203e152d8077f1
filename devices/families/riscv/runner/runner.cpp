/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program on a processor that Verilator made a C++ class of, as its
 * input says:
 *
 *   runner RAM_START RAM_BYTES FLASH_BYTES
 *
 *   w ADDRESS HEX...           writes bytes into memory; flash begins at 0
 *   r ADDRESS SIZE             answers them in hex
 *   g ADDRESS LIMIT FLOOR      runs until the instruction there begins, and
 *                              answers `ok CYCLES INSTRUCTIONS STACK`, or
 *                              `crash REASON`: a trap, an access to no memory,
 *                              a write to flash memory, a stack that sinks
 *                              below FLOOR, more cycles than LIMIT. STACK is
 *                              how many bytes below its first stack pointer it
 *                              took by moving that or by writing
 *   x                          answers x1 to x31 in hex, low byte first
 *
 * Numbers are decimal; addresses are in bytes. Memory answers at the next edge
 * of the clock, without wait states. The clock stands still between runs, when
 * all instructions before ADDRESS have ended and that one has not begun: so
 * memory is as the program has it, and cycles are those of the design. */

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Vmachine.h"

namespace {

constexpr int reset_cycles = 8;

class Memory {
public:
  Memory(uint32_t first, uint32_t size) : first_(first), bytes_(size + 3U) {}

  bool has(uint32_t address, uint32_t size) const {
    const uint64_t end = uint64_t{address} + size;
    return address >= first_ && end <= uint64_t{first_} + bytes_.size() - 3U;
  }

  uint8_t *at(uint32_t address) { return &bytes_[address - first_]; }

  uint32_t word(uint32_t address) {
    uint32_t value;
    std::memcpy(&value, at(address & ~UINT32_C(3)), sizeof value);
    return value;
  }

private:
  uint32_t first_;
  std::vector<uint8_t> bytes_;
};

/* What a run of instructions took. */
struct Run {
  uint64_t cycles = 0;
  uint64_t instructions = 0;
  uint32_t stack_bytes = 0;
  const char *crash = nullptr;
};

class Machine {
public:
  Machine(uint32_t ram_start, uint32_t ram_bytes, uint32_t flash_bytes)
      : flash_(0, flash_bytes), ram_(ram_start, ram_bytes) {
    top_.clk = 0;
    top_.resetn = 0;
    top_.eval();
  }

  Memory *memory_of(uint32_t address, uint32_t size) {
    if (flash_.has(address, size)) {
      return &flash_;
    }
    return ram_.has(address, size) ? &ram_ : nullptr;
  }

  Run go(uint32_t until, uint64_t limit, uint32_t floor) {
    Run run;
    if (!is_on_) {
      reset();
    } else if (top_.begins && top_.pc == until) {
      return run;
    }
    const uint32_t first = top_.sp;
    uint32_t lowest = first;
    do {
      tick(floor, lowest);
      run.cycles++;
      if (top_.begins) {
        run.instructions++;
        lowest = top_.sp < lowest ? top_.sp : lowest;
        /* Before the program has set its stack pointer, that is any value. */
        has_stack_ = has_stack_ || ram_.has(top_.sp - 4U, 4);
      }
      run.crash = crash_;
      if (run.crash == nullptr) {
        run.crash = why_crashed(run, limit, floor);
      }
    } while (run.crash == nullptr && !(top_.begins && top_.pc == until));
    run.stack_bytes = first - lowest;
    return run;
  }

  uint32_t register_word(uint32_t number) {
    top_.register_number = number;
    top_.eval();
    return top_.register_word;
  }

private:
  void reset() {
    uint32_t none = 0;
    for (int i = 0; i < reset_cycles; i++) {
      tick(0, none);
    }
    top_.resetn = 1;
    top_.eval();
    is_on_ = true;
    crash_ = nullptr;
  }

  const char *why_crashed(const Run &run, uint64_t limit,
                          uint32_t floor) const {
    if (top_.trapped) {
      return "the processor trapped";
    }
    if (has_stack_ && top_.begins && top_.sp < floor) {
      return "the stack reached the data";
    }
    return run.cycles > limit ? "it takes more cycles than the limit" : nullptr;
  }

  /* One clock. Words go in before the rising edge, where registers of the
   * machine take them: so all is computed once a clock, and not again when the
   * clock falls. */
  void tick(uint32_t floor, uint32_t &lowest) {
    if (top_.code_read) {
      top_.code_word = read(top_.code_address);
    }
    if (top_.data_read) {
      top_.data_word = read(top_.data_address);
    }
    if (top_.data_write) {
      write(top_.data_address, top_.data_to_write, top_.data_write);
      const uint32_t address = top_.data_address;
      if (address >= floor && address < lowest) {
        lowest = address;
      }
    }
    top_.clk = 1;
    top_.eval();
    top_.clk = 0;
    top_.eval();
  }

  uint32_t read(uint32_t address) {
    Memory *memory = memory_of(address & ~UINT32_C(3), 4);
    if (memory == nullptr) {
      crash_ = top_.resetn ? "it read where no memory is" : crash_;
      return 0;
    }
    return memory->word(address);
  }

  void write(uint32_t address, uint32_t word, uint32_t strobes) {
    const uint32_t first = address & ~UINT32_C(3);
    if (!ram_.has(first, 4)) {
      crash_ = "it wrote where no RAM is";
      return;
    }
    for (uint32_t i = 0; i < 4; i++) {
      if ((strobes >> i & 1U) != 0) {
        *ram_.at(first + i) = static_cast<uint8_t>(word >> (8U * i));
      }
    }
  }

  Vmachine top_;
  Memory flash_;
  Memory ram_;
  bool is_on_ = false;
  bool has_stack_ = false;
  const char *crash_ = nullptr;
};

/* -1 if it is no digit of a hexadecimal number. */
int value_of(char digit) {
  static const char digits[] = "0123456789abcdef";
  const char *place = std::strchr(digits, digit);
  return digit == '\0' || place == nullptr ? -1
                                           : static_cast<int>(place - digits);
}

void write_bytes(Machine &machine, uint32_t address, const std::string &hex) {
  const auto size = static_cast<uint32_t>(hex.size() / 2);
  Memory *memory = machine.memory_of(address, size);
  for (uint32_t i = 0; memory != nullptr && i < size; i++) {
    const int high = value_of(hex[2 * size_t{i}]);
    const int low = value_of(hex[2 * size_t{i} + 1]);
    *memory->at(address + i) = static_cast<uint8_t>(high << 4 | low);
  }
}

std::string hex_of(uint8_t byte) {
  static const char digits[] = "0123456789abcdef";
  return {digits[byte >> 4U], digits[byte & 15U]};
}

void answer_bytes(Machine &machine, uint32_t address, uint32_t size) {
  Memory *memory = machine.memory_of(address, size);
  std::string answer;
  for (uint32_t i = 0; memory != nullptr && i < size; i++) {
    answer += hex_of(*memory->at(address + i));
  }
  std::printf("%s\n", answer.c_str());
}

void answer_registers(Machine &machine) {
  std::string answer;
  for (uint32_t number = 1; number < 32; number++) {
    answer += number > 1 ? " " : "";
    const uint32_t word = machine.register_word(number);
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      answer += hex_of(static_cast<uint8_t>(word >> shift));
    }
  }
  std::printf("%s\n", answer.c_str());
}

void answer_run(const Run &run) {
  if (run.crash != nullptr) {
    std::printf("crash %s\n", run.crash);
    return;
  }
  std::printf("ok %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", run.cycles,
              run.instructions, run.stack_bytes);
}

void obey(Machine &machine, const std::string &line) {
  std::istringstream words(line);
  char command = 0;
  uint32_t address = 0;
  words >> command >> address;
  if (command == 'w') {
    std::string hex;
    words >> hex;
    write_bytes(machine, address, hex);
  } else if (command == 'r') {
    uint32_t size = 0;
    words >> size;
    answer_bytes(machine, address, size);
  } else if (command == 'x') {
    answer_registers(machine);
  } else if (command == 'g') {
    uint64_t limit = 0;
    uint32_t floor = 0;
    words >> limit >> floor;
    answer_run(machine.go(address, limit, floor));
  }
}

uint32_t number(const char *word) {
  return static_cast<uint32_t>(std::strtoul(word, nullptr, 10));
}

} // namespace

int main(int count, char **words) {
  constexpr int expected = 4;
  if (count != expected) {
    std::fprintf(stderr, "usage: runner RAM_START RAM_BYTES FLASH_BYTES\n");
    return 2;
  }
  Machine machine(number(words[1]), number(words[2]), number(words[3]));
  std::string line;
  while (std::getline(std::cin, line)) {
    obey(machine, line);
    if (line[0] != 'w') {
      std::fflush(stdout);
    }
  }
  return 0;
}
