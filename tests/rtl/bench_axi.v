// SPDX-License-Identifier: Apache-2.0
// The core behind registers and streams, widths side by side: those whose macro is
// defined (N_8).

`timescale 1ns / 1ps
`default_nettype none

module bench_axi #(
    parameter FAST = 0,
    parameter LOW_POWER = 0
);

  reg clk /* verilator public_flat_rw */;
  reg [6:0] on /* verilator public_flat_rw */;  // which have a clock

`ifdef N_1
  axi_station #(1, FAST, LOW_POWER) axi_1 (clk && on[0]);
`endif
`ifdef N_2
  axi_station #(2, FAST, LOW_POWER) axi_2 (clk && on[1]);
`endif
`ifdef N_4
  axi_station #(4, FAST, LOW_POWER) axi_4 (clk && on[2]);
`endif
`ifdef N_8
  axi_station #(8, FAST, LOW_POWER) axi_8 (clk && on[3]);
`endif
`ifdef N_16
  axi_station #(16, FAST, LOW_POWER) axi_16 (clk && on[4]);
`endif
`ifdef N_32
  axi_station #(32, FAST, LOW_POWER) axi_32 (clk && on[5]);
`endif
`ifdef N_64
  axi_station #(64, FAST, LOW_POWER) axi_64 (clk && on[6]);
`endif

endmodule

`default_nettype wire
