// SPDX-License-Identifier: Apache-2.0
// The core between two shift registers, for place and route: it has more ports than a
// part has pins. Made by samara.chip.fpga, which sets the macros N, W and BYTES.
//
// The shift registers have a clock of their own. So no path of them, and no path between
// them and the core, counts for `clk`; their cells are counted and subtracted.

`default_nettype none

module harness (
    input  wire clk,
    input  wire shift,
    input  wire load,
    input  wire serial_in,
    output wire serial_out
);

  localparam INPUTS = 8 + 3 * `N + `W + 2 * `BYTES;
  localparam OUTPUTS = 7 + `W + `BYTES + 64;

  reg [INPUTS-1:0] given;
  reg [OUTPUTS-1:0] taken;
  wire [OUTPUTS-1:0] seen;

  always @(posedge shift) begin
    given <= {given[INPUTS-2:0], serial_in};
    taken <= load ? seen : {1'b0, taken[OUTPUTS-1:1]};
  end
  assign serial_out = taken[0];

  samara_grain128 core (
      .clk(clk),
      .reset_n(given[0]),
      .start(given[1]),
      .opening(given[2]),
      .clear(given[3]),
      .in_valid(given[4]),
      .in_last(given[5]),
      .out_ready(given[6]),
      .tag_ready(given[7]),
      .key_low(given[8 +: `N]),
      .key_high(given[8+`N +: `N]),
      .nonce(given[8+2*`N +: `N]),
      .in_data(given[8+3*`N +: `W]),
      .in_message(given[8+3*`N+`W +: `BYTES]),
      .in_keep(given[8+3*`N+`W+`BYTES +: `BYTES]),
      .ready(seen[0]),
      .take(seen[1]),
      .in_ready(seen[2]),
      .out_valid(seen[3]),
      .tag_valid(seen[4]),
      .done(seen[5]),
      .verified(seen[6]),
      .out_data(seen[7 +: `W]),
      .out_keep(seen[7+`W +: `BYTES]),
      .tag(seen[7+`W+`BYTES +: 64])
  );

endmodule

`default_nettype wire
