// SPDX-License-Identifier: Apache-2.0
// Counts 2^BITS clocks and begins again, in an order that costs three gates: a linear
// feedback shift register of full length, with the state zero put behind the one
// whose only 1 is the highest bit (a de Bruijn sequence; Golomb, Shift Register
// Sequences, chapter VI). Only the first and the last state are told.

`default_nettype none

module samara_grain128_counter #(
    parameter BITS = 6  // 0 to 6; 0: each clock is the first and the last
) (
    input  wire clk,
    input  wire restarts,
    input  wire counts,
    output wire is_first,
    output wire is_last
);

  generate
    if (BITS == 0) begin : none

      assign is_first = 1'b1;
      assign is_last = 1'b1;
      wire unused = &{clk, restarts, counts};  // for lint

    end else if (BITS == 1) begin : one

      reg value;
      always @(posedge clk) begin
        if (restarts) value <= 1'b0;
        else if (counts) value <= !value;
      end
      assign is_first = !value;
      assign is_last = value;

    end else begin : many

      // x^BITS + x^TAP + 1 is primitive.
      localparam TAP = BITS == 5 ? 3 : BITS - 1;
      reg [BITS-1:0] value;
      wire rest_is_zero = value[BITS-2:0] == {BITS-1{1'b0}};
      wire feedback = value[BITS-1] ^ value[TAP-1] ^ rest_is_zero;
      always @(posedge clk) begin
        if (counts || restarts)
          value <= {value[BITS-2:0], feedback} & {BITS{!restarts}};
      end
      assign is_first = rest_is_zero && !value[BITS-1];
      assign is_last = rest_is_zero && value[BITS-1];

    end
  endgenerate

endmodule

`default_nettype wire
