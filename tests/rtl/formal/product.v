// SPDX-License-Identifier: Apache-2.0
// The Toeplitz product that is split in three is the one that is written out, for
// all diagonals and all vectors with one 1 at most. Each of its outputs is an XOR
// of products of a sum of diagonals and a sum of the vector's bits (that is read, not
// proven), so that what holds for these vectors holds for all.

`default_nettype none

module product #(
    parameter N = 32
) (
    input wire          clk,
    input wire [62+N:0] diagonals,
    input wire [N-1:0]  vector
);

  wire [63:0] result;
  samara_grain128_toeplitz #(.ROWS(64), .COLUMNS(N)) dut (
      .diagonals(diagonals), .vector(vector), .product(result)
  );

  reg [63:0] sum;
  integer ones;
  integer c;
  always @* begin
    sum = 64'd0;
    ones = 0;
    for (c = 0; c < N; c = c + 1) begin
      if (vector[c]) sum = sum ^ diagonals[c +: 64];
      ones = ones + vector[c];
    end
  end

  always @(posedge clk) begin
    assume (ones <= 1);
    assert (result == sum);
    cover (ones == 1 && result == {64{1'b1}});
  end

endmodule

`default_nettype wire
