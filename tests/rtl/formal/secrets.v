// SPDX-License-Identifier: Apache-2.0
// Constant time: two cores with the same handshakes, and key, nonce and data of their
// own, agree on all their handshakes for ever, from the same state on. `verified`
// alone may tell them apart.

`default_nettype none

module secrets #(
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
    input wire [2*N-1:0]   key_low,
    input wire [2*N-1:0]   key_high,
    input wire [2*N-1:0]   nonce,
    input wire             in_valid,
    input wire [2*W-1:0]   in_data,
    input wire [BYTES-1:0] in_message,
    input wire             in_last,
    input wire [BYTES-1:0] in_keep,
    input wire             out_ready,
    input wire             tag_ready
);

  wire [2*(6+BYTES)-1:0] handshakes;
  wire [1:0] verified;

  genvar k;
  generate
    for (k = 0; k < 2; k = k + 1) begin : copy
      wire ready, take, in_ready, out_valid, tag_valid, done;
      wire [BYTES-1:0] out_keep;
      samara_grain128 #(
      .N(N), .AUTHENTICATE(AUTHENTICATE), .FAST(FAST), .LOW_POWER(LOW_POWER)
  ) core (
          .clk(clk), .reset_n(reset_n), .start(start), .opening(opening),
          .clear(clear), .ready(ready), .take(take), .key_low(key_low[N*k +: N]),
          .key_high(key_high[N*k +: N]), .nonce(nonce[N*k +: N]), .in_valid(in_valid),
          .in_ready(in_ready), .in_data(in_data[W*k +: W]), .in_message(in_message),
          .in_last(in_last), .in_keep(in_keep), .out_valid(out_valid),
          .out_ready(out_ready), .out_keep(out_keep), .tag_valid(tag_valid),
          .tag_ready(tag_ready), .done(done), .verified(verified[k])
      );
      assign handshakes[(6+BYTES)*k +: 6+BYTES] =
          {ready, take, in_ready, out_valid, tag_valid, done, out_keep};
    end
  endgenerate

  reg was_reset = 1'b0;
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (!reset_n);
    if (was_reset) assert (handshakes[5+BYTES:0] == handshakes[6+BYTES +: 6+BYTES]);
    if (was_reset) cover (handshakes[BYTES+2]);  // out_valid
  end

`ifdef COVERS
  // The short way there: a message of one word, and nothing outside waits.
  assign reset_n = was_reset;
  assign clear = 1'b0;
  assign start = 1'b1;
  assign in_valid = 1'b1;
  assign in_last = 1'b1;
  assign in_message = {BYTES{1'b1}};
  assign in_keep = {BYTES{1'b1}};
  assign out_ready = 1'b1;
  assign tag_ready = 1'b1;
`endif

endmodule

`default_nettype wire
