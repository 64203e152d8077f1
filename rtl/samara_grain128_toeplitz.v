// SPDX-License-Identifier: Apache-2.0
// Product of a Toeplitz matrix and a vector over GF(2):
//   product[r] = XOR over c of diagonals[r + c] & vector[c].
//
// From 16 columns on it is split in two, with three products of half the columns
// instead of four (H. Fan and M. A. Hasan, "A New Approach to Subquadratic Space
// Complexity Parallel Multipliers for Extended Binary Fields", IEEE Transactions on
// Computers 56(2), 2007). With blocks T0 T1 / T1 T2 and halves v0, v1:
//   upper = T1 (v0 + v1) + (T0 + T1) v0
//   lower = T1 (v0 + v1) + (T1 + T2) v1
// Fewer columns than that cost more in sums than the product saves.

`default_nettype none

module samara_grain128_toeplitz #(
    parameter ROWS = 64,
    parameter COLUMNS = 1,
    parameter SPLIT_FROM = 16
) (
    input  wire [ROWS+COLUMNS-2:0] diagonals,
    input  wire [COLUMNS-1:0]      vector,
    output wire [ROWS-1:0]         product
);

  generate
    if (COLUMNS < SPLIT_FROM) begin : direct

      reg [ROWS-1:0] sum;
      integer c;
      always @* begin
        sum = {ROWS{1'b0}};
        for (c = 0; c < COLUMNS; c = c + 1) begin
          sum = sum ^ (diagonals[c +: ROWS] & {ROWS{vector[c]}});
        end
      end
      assign product = sum;

    end else if (ROWS > COLUMNS) begin : rows

      genvar r;
      for (r = 0; r < ROWS; r = r + COLUMNS) begin : of
        samara_grain128_toeplitz #(
            .ROWS(COLUMNS), .COLUMNS(COLUMNS), .SPLIT_FROM(SPLIT_FROM)
        ) square (
            .diagonals(diagonals[r +: 2*COLUMNS-1]),
            .vector(vector),
            .product(product[r +: COLUMNS])
        );
      end

    end else begin : split

      localparam H = COLUMNS / 2;
      wire [2*H-2:0] t0 = diagonals[0 +: 2*H-1];
      wire [2*H-2:0] t1 = diagonals[H +: 2*H-1];
      wire [2*H-2:0] t2 = diagonals[2*H +: 2*H-1];
      wire [H-1:0] v0 = vector[H-1:0];
      wire [H-1:0] v1 = vector[COLUMNS-1:H];
      wire [H-1:0] middle;
      wire [H-1:0] upper;
      wire [H-1:0] lower;

      samara_grain128_toeplitz #(.ROWS(H), .COLUMNS(H), .SPLIT_FROM(SPLIT_FROM)) both (
          .diagonals(t1), .vector(v0 ^ v1), .product(middle)
      );
      samara_grain128_toeplitz #(.ROWS(H), .COLUMNS(H), .SPLIT_FROM(SPLIT_FROM)) first (
          .diagonals(t0 ^ t1), .vector(v0), .product(upper)
      );
      samara_grain128_toeplitz #(.ROWS(H), .COLUMNS(H), .SPLIT_FROM(SPLIT_FROM)) second (
          .diagonals(t1 ^ t2), .vector(v1), .product(lower)
      );
      assign product = {middle ^ lower, middle ^ upper};

    end
  endgenerate

endmodule

`default_nettype wire
