// SPDX-License-Identifier: Apache-2.0
// W bits a clock are W single bits one after the other: for each bit that is 1 the
// register is added to the accumulator, then it moves on by one (specification,
// section 2.3). From any state. Isolated: the same, one clock later.

`default_nettype none

module authenticator #(
    parameter W = 1,
    parameter FAST = 0,
    parameter LOW_POWER = 0
) (
    input wire         clk,
    input wire         clears,
    input wire         shifts,
    input wire         adds,
    input wire [W-1:0] bits,
    input wire [W-1:0] fresh
);

  wire [63:0] accumulator;
  wire is_zero;
  (* hierconn *) wire [63:0] \dut.one_bit.held ;
  (* hierconn *) wire [63:0] \dut.several_bits.held_n ;
  wire [63:0] register = W == 1 ? \dut.one_bit.held : ~\dut.several_bits.held_n ;

  localparam ISOLATED = FAST != 0 || (LOW_POWER != 0 && W >= 8);
  samara_grain128_authenticator #(
      .W(W), .ISOLATED(ISOLATED), .LOW_POWER(LOW_POWER)
  ) dut (
      .clk(clk), .clears(clears), .shifts(shifts), .adds(adds), .bits(bits),
      .fresh(fresh), .accumulator(accumulator), .is_zero(is_zero)
  );

  reg [2*W+2:0] before;
  wire [2*W+2:0] inputs = {clears, shifts, adds, bits, fresh};
  always @(posedge clk) before <= inputs;
  wire clears_now, shifts_now, adds_now;
  wire [W-1:0] bits_now, fresh_now;
  assign {clears_now, shifts_now, adds_now, bits_now, fresh_now} =
      ISOLATED ? before : inputs;

  reg [63:0] a;
  reg [63:0] r;
  integer i;
  always @* begin
    a = accumulator;
    r = register;
    for (i = 0; i < W; i = i + 1) begin
      if (bits_now[i]) a = a ^ r;
      r = {fresh_now[i], r[63:1]};
    end
    if (!adds_now) a = accumulator;
    if (clears_now) a = 64'd0;
    if (!shifts_now) r = register;
  end

  reg [1:0] age = 2'd0;
  reg [63:0] a_next;
  reg [63:0] r_next;
  always @(posedge clk) begin
    if (age != 2'd3) age <= age + 1'b1;
    a_next <= a;
    r_next <= r;
    // The core adds without moving on only to add the register itself: contract.v.
    if (W > 1) assume (!adds || shifts || bits == 1);
    assert (is_zero == (accumulator == 64'd0));
    if (age > ISOLATED) begin
      assert (accumulator == a_next);
      assert (register == r_next);
      cover (adds && shifts && bits == {W{1'b1}} && accumulator == 64'd1);
    end
  end

endmodule

`default_nettype wire
