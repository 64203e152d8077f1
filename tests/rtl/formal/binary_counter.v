// SPDX-License-Identifier: Apache-2.0
// What samara_grain128_counter does, as a binary counter. `counter.v` proves that they
// are the same; the proofs of control, which have counters of their own to compare
// with, take this one in its place.

`default_nettype none

module samara_grain128_counter #(
    parameter BITS = 6
) (
    input  wire clk,
    input  wire restarts,
    input  wire counts,
    output wire is_first,
    output wire is_last
);

  (* keep *) reg [6:0] value;
  always @(posedge clk) begin
    if (restarts) value <= 0;
    else if (counts) value <= is_last ? 0 : value + 1'b1;
  end
  assign is_first = value == 0;
  assign is_last = value == 2 ** BITS - 1;

endmodule

`default_nettype wire
