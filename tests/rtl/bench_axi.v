// SPDX-License-Identifier: Apache-2.0
// The core behind registers and streams, all widths side by side.

`timescale 1ns / 1ps
`default_nettype none

module bench_axi #(
    parameter FAST = 0,
    parameter LOW_POWER = 0
);

  reg clk /* verilator public_flat_rw */;
  reg [6:0] on /* verilator public_flat_rw */;  // which have a clock

  axi_station #(1, FAST, LOW_POWER) axi_1 (clk && on[0]);
  axi_station #(2, FAST, LOW_POWER) axi_2 (clk && on[1]);
  axi_station #(4, FAST, LOW_POWER) axi_4 (clk && on[2]);
  axi_station #(8, FAST, LOW_POWER) axi_8 (clk && on[3]);
  axi_station #(16, FAST, LOW_POWER) axi_16 (clk && on[4]);
  axi_station #(32, FAST, LOW_POWER) axi_32 (clk && on[5]);
  axi_station #(64, FAST, LOW_POWER) axi_64 (clk && on[6]);

endmodule

`default_nettype wire
