// SPDX-License-Identifier: Apache-2.0
// All widths of a variant side by side, so that a simulator compiles once: for each a
// station with the authenticated cipher and one with the keystream.

`timescale 1ns / 1ps
`default_nettype none

module bench #(
    parameter FAST = 0,
    parameter LOW_POWER = 0
);

  reg clk /* verilator public_flat_rw */;
  reg reset_n /* verilator public_flat_rw */;
  // A station that is not needed gets no clock, which costs time.
  reg [6:0] aead_on /* verilator public_flat_rw */;
  reg [6:0] ple_on /* verilator public_flat_rw */;

  station #(.N(1), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_1 (clk && aead_on[0], reset_n);
  station #(.N(2), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_2 (clk && aead_on[1], reset_n);
  station #(.N(4), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_4 (clk && aead_on[2], reset_n);
  station #(.N(8), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_8 (clk && aead_on[3], reset_n);
  station #(.N(16), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_16 (clk && aead_on[4], reset_n);
  station #(.N(32), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_32 (clk && aead_on[5], reset_n);
  station #(.N(64), .FAST(FAST), .LOW_POWER(LOW_POWER)) aead_64 (clk && aead_on[6], reset_n);

  station #(1, 0, FAST, LOW_POWER) ple_1 (clk && ple_on[0], reset_n);
  station #(2, 0, FAST, LOW_POWER) ple_2 (clk && ple_on[1], reset_n);
  station #(4, 0, FAST, LOW_POWER) ple_4 (clk && ple_on[2], reset_n);
  station #(8, 0, FAST, LOW_POWER) ple_8 (clk && ple_on[3], reset_n);
  station #(16, 0, FAST, LOW_POWER) ple_16 (clk && ple_on[4], reset_n);
  station #(32, 0, FAST, LOW_POWER) ple_32 (clk && ple_on[5], reset_n);
  station #(64, 0, FAST, LOW_POWER) ple_64 (clk && ple_on[6], reset_n);

endmodule

`default_nettype wire
