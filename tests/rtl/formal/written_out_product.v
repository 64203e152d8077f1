// SPDX-License-Identifier: Apache-2.0
// In place of samara_grain128_toeplitz: its definition. product.v compares the two.

`default_nettype none

module samara_grain128_toeplitz #(
    parameter ROWS = 64,
    parameter COLUMNS = 1
) (
    input  wire [ROWS+COLUMNS-2:0] diagonals,
    input  wire [COLUMNS-1:0]      vector,
    output reg  [ROWS-1:0]         product
);

  integer c;
  always @* begin
    product = {ROWS{1'b0}};
    for (c = 0; c < COLUMNS; c = c + 1)
      if (vector[c]) product = product ^ diagonals[c +: ROWS];
  end

endmodule

`default_nettype wire
