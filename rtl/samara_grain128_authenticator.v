// SPDX-License-Identifier: Apache-2.0
// The authenticator of Grain-128AEADv2: for each bit that is 1, the register is
// added to the accumulator; then the register moves on by one fresh bit
// (specification, section 2.3). W bits a clock.
//
// Parameters
//   W          Bits a clock: 1, 2, 4, 8, 16 or 32.
//   ISOLATED   1: all inputs wait in flip-flops for one clock, so that no path leads
//              from the generator through here, and glitches of the generator end
//              there. Outputs come one clock later.
//   LOW_POWER  1: words of zeros do not clock the accumulator, and inputs that are
//              not used do not clock what they wait in.
//
// Ports
//   clears       The accumulator becomes zero.
//   shifts       The register moves on by the W bits of `fresh`.
//   adds         The accumulator takes the register for each 1 in `bits`.
//   accumulator  After the clock of `adds` (ISOLATED: one later).
//   is_zero      The accumulator is zero.

`default_nettype none

module samara_grain128_authenticator #(
    parameter W = 1,
    parameter ISOLATED = 0,
    parameter LOW_POWER = 0
) (
    input  wire         clk,
    input  wire         clears,
    input  wire         shifts,
    input  wire         adds,
    input  wire [W-1:0] bits,
    input  wire [W-1:0] fresh,
    output reg  [63:0]  accumulator,
    output wire         is_zero
);

  wire clears_now;
  wire shifts_now;
  wire adds_now;
  wire [W-1:0] bits_now;
  wire [W-1:0] fresh_now;

  generate
    if (ISOLATED != 0) begin : isolated
      reg clears_waits;
      reg shifts_waits;
      reg adds_waits;
      reg [W-1:0] bits_waits;
      reg [W-1:0] fresh_waits;
      always @(posedge clk) begin
        clears_waits <= clears;
        shifts_waits <= shifts;
        adds_waits <= adds;
        if (LOW_POWER == 0 || adds || clears) bits_waits <= bits;
        if (LOW_POWER == 0 || shifts) fresh_waits <= fresh;
      end
      assign clears_now = clears_waits;
      assign shifts_now = shifts_waits;
      assign adds_now = adds_waits;
      assign bits_now = bits_waits;
      assign fresh_now = fresh_waits;
    end else begin : direct
      assign clears_now = clears;
      assign shifts_now = shifts;
      assign adds_now = adds;
      assign bits_now = bits;
      assign fresh_now = fresh;
    end
  endgenerate

  wire [63:0] sum;
  wire adds_sum;

  generate
    if (W == 1) begin : one_bit

      // A bit that is 0 leaves the accumulator's clock out, and needs no AND.
      reg [63:0] held;
      always @(posedge clk) if (shifts_now) held <= {fresh_now, held[63:1]};
      assign sum = held;
      assign adds_sum = adds_now && bits_now[0];

    end else begin : several_bits

      // Held inverted: AND of two inverted bits is one NOR gate.
      reg [63:0] held_n;
      wire [63+W:0] window = {fresh_now, ~held_n};
      always @(posedge clk) if (shifts_now) held_n <= ~window[63+W:W];
      samara_grain128_toeplitz #(.ROWS(64), .COLUMNS(W)) toeplitz (
          .diagonals(window[62+W:0]),
          .vector(bits_now),
          .product(sum)
      );
      assign adds_sum = adds_now && (LOW_POWER == 0 || |bits_now);

    end
  endgenerate

  // accumulator ^ sum, or zeros: two gates a bit, OR-AND-INVERT and AND-OR-INVERT, that
  // also clear, where XOR and another gate to clear it take more.
  wire [63:0] neither = ~((accumulator | sum) & {64{!clears_now}});
  always @(posedge clk) begin
    if (adds_sum || clears_now) accumulator <= ~((accumulator & sum) | neither);
  end

  assign is_zero = accumulator == 64'd0;

endmodule

`default_nettype wire
