// SPDX-License-Identifier: Apache-2.0
// Valid and ready at the core's output: what is offered stays as it is until it is
// taken. Assumed of the environment: the same of its words, and that `opening` stays.

`default_nettype none

module hold #(
    parameter N = 1,
    parameter AUTHENTICATE = 1,
    parameter FAST = 0,
    parameter LOW_POWER = 0,
    parameter W = AUTHENTICATE == 0 ? N : N == 1 ? 1 : N / 2,
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input wire             clk,
    input wire             reset_n,
    input wire             start,
    input wire             opening,
    input wire             clear,
    input wire [N-1:0]     key_low,
    input wire [N-1:0]     key_high,
    input wire [N-1:0]     nonce,
    input wire             in_valid,
    input wire [W-1:0]     in_data,
    input wire [BYTES-1:0] in_message,
    input wire             in_last,
    input wire [BYTES-1:0] in_keep,
    input wire             out_ready,
    input wire             tag_ready
);

  wire ready;
  wire in_ready;
  wire out_valid;
  wire [W-1:0] out_data;
  wire [BYTES-1:0] out_keep;
  wire tag_valid;
  wire [63:0] tag;

  samara_grain128 #(
      .N(N), .AUTHENTICATE(AUTHENTICATE), .FAST(FAST), .LOW_POWER(LOW_POWER)
  ) core (
      .clk(clk), .reset_n(reset_n), .start(start), .opening(opening), .clear(clear),
      .ready(ready), .key_low(key_low), .key_high(key_high), .nonce(nonce), .in_valid(in_valid),
      .in_ready(in_ready), .in_data(in_data), .in_message(in_message),
      .in_last(in_last), .in_keep(in_keep), .out_valid(out_valid),
      .out_ready(out_ready), .out_data(out_data), .out_keep(out_keep),
      .tag_valid(tag_valid), .tag_ready(tag_ready), .tag(tag)
  );

  wire goes_on = reset_n && !clear;
  wire [W+2*BYTES:0] word = {in_data, in_message, in_last, in_keep};
  wire [W+BYTES-1:0] offer = {out_data, out_keep};

  reg was_reset = 1'b0;
  reg past_opening;
  reg was_busy;
  reg word_waited;
  reg offer_waited;
  reg tag_waited;
  reg [W+2*BYTES:0] past_word;
  reg [W+BYTES-1:0] past_offer;
  reg [63:0] past_tag;
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (!reset_n);
    word_waited <= was_reset && goes_on && in_valid && !in_ready;
    offer_waited <= was_reset && goes_on && out_valid && !out_ready;
    tag_waited <= was_reset && goes_on && tag_valid && !tag_ready;
    past_opening <= opening;
    was_busy <= !ready || start;
    if (was_reset && was_busy && !ready) assume (opening == past_opening);
    past_word <= word;
    past_offer <= offer;
    past_tag <= tag;
    if (was_reset && word_waited) assume (in_valid && word == past_word);
    if (was_reset && offer_waited) begin
      assert (out_valid);
      assert (offer == past_offer);
      cover (out_ready && goes_on);
    end
    if (was_reset && tag_waited) begin
      assert (tag_valid);
      assert (tag == past_tag);
      if (AUTHENTICATE != 0) cover (tag_ready && goes_on);
    end
  end

`ifdef COVERS
  // The short way there: a message of one word, which waits for one clock, as the tag
  // does.
  assign reset_n = was_reset;
  assign clear = 1'b0;
  assign start = 1'b1;
  assign opening = 1'b0;
  assign in_valid = 1'b1;
  assign in_last = 1'b1;
  assign in_message = {BYTES{1'b1}};
  assign in_keep = {BYTES{1'b1}};
  assign out_ready = offer_waited;
  assign tag_ready = tag_waited;
`endif

endmodule

`default_nettype wire
