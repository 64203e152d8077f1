// SPDX-License-Identifier: Apache-2.0
// Widths of a variant side by side, so that a simulator compiles once: for each a
// station with the authenticated cipher and one with the keystream. A width exists
// where its macro is defined (N_8), since each costs time to compile.

`timescale 1ns / 1ps
`default_nettype none

module bench #(
    parameter FAST = 0,
    parameter LOW_POWER = 0
);

  reg clk /* verilator public_flat_rw */;
  reg reset_n /* verilator public_flat_rw */;
  // A station that has ended gets no clock, which costs time, too.
  reg [6:0] aead_on /* verilator public_flat_rw */;
  reg [6:0] ple_on /* verilator public_flat_rw */;

`ifdef N_1
  station #(1, 1, FAST, LOW_POWER) aead_1 (clk && aead_on[0], reset_n);
  station #(1, 0, FAST, LOW_POWER) ple_1 (clk && ple_on[0], reset_n);
`endif
`ifdef N_2
  station #(2, 1, FAST, LOW_POWER) aead_2 (clk && aead_on[1], reset_n);
  station #(2, 0, FAST, LOW_POWER) ple_2 (clk && ple_on[1], reset_n);
`endif
`ifdef N_4
  station #(4, 1, FAST, LOW_POWER) aead_4 (clk && aead_on[2], reset_n);
  station #(4, 0, FAST, LOW_POWER) ple_4 (clk && ple_on[2], reset_n);
`endif
`ifdef N_8
  station #(8, 1, FAST, LOW_POWER) aead_8 (clk && aead_on[3], reset_n);
  station #(8, 0, FAST, LOW_POWER) ple_8 (clk && ple_on[3], reset_n);
`endif
`ifdef N_16
  station #(16, 1, FAST, LOW_POWER) aead_16 (clk && aead_on[4], reset_n);
  station #(16, 0, FAST, LOW_POWER) ple_16 (clk && ple_on[4], reset_n);
`endif
`ifdef N_32
  station #(32, 1, FAST, LOW_POWER) aead_32 (clk && aead_on[5], reset_n);
  station #(32, 0, FAST, LOW_POWER) ple_32 (clk && ple_on[5], reset_n);
`endif
`ifdef N_64
  station #(64, 1, FAST, LOW_POWER) aead_64 (clk && aead_on[6], reset_n);
  station #(64, 0, FAST, LOW_POWER) ple_64 (clk && ple_on[6], reset_n);
`endif

endmodule

`default_nettype wire
