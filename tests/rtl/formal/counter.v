// SPDX-License-Identifier: Apache-2.0
// The counter of three gates tells its first and last state as a binary one does.

`default_nettype none

module counter #(
    parameter BITS = 6
) (
    input wire clk,
    input wire restarts,
    input wire counts
);

  wire is_first;
  wire is_last;
  samara_grain128_counter #(.BITS(BITS)) dut (
      .clk(clk), .restarts(restarts), .counts(counts),
      .is_first(is_first), .is_last(is_last)
  );

  reg [BITS:0] value;
  wire at_end = value == 2 ** BITS - 1;
  reg was_reset = 1'b0;
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (restarts);
    if (restarts) value <= 0;
    else if (counts) value <= at_end ? 0 : value + 1'b1;
    if (was_reset) begin
      assert (is_first == (value == 0));
      assert (is_last == at_end);
      cover (is_last);
    end
  end

endmodule

`default_nettype wire
