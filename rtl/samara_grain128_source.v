// SPDX-License-Identifier: Apache-2.0
// Key and nonce, as the core reads them: N bits a clock.
//
// The key is a ring of 128 bits. The core takes all of it and then half of it once
// more; then it turns the other half by itself, so that the next message finds it
// where it was. The nonce leaves as it is read, and what the specification puts behind it (31
// ones and a zero) comes in its place.
//
// Ports
//   clears          Key and nonce become zero at once.
//   key_write       Word `key_word` of the key is written: 0 has the bytes 0 to 3, the
//                   first in bits 7 to 0. Not while a message starts.
//   nonce_write     Word `nonce_word` (0, 1 or 2) of the nonce, the same way. Each
//                   message needs one of its own.
//   take            From the core.

`default_nettype none

module samara_grain128_source #(
    parameter N = 1
) (
    input  wire         clk,
    input  wire         clears,
    input  wire         key_write,
    input  wire [1:0]   key_word,
    input  wire         nonce_write,
    input  wire [1:0]   nonce_word,
    input  wire [31:0]  write_data,
    input  wire         take,
    output wire [N-1:0] key_low,
    output wire [N-1:0] key_high,
    output wire [N-1:0] nonce
);

  reg [127:0] key;
  reg [127:0] start;  // nonce, ones, zero

  // Clocks that the ring has turned; 128/N bring it home.
  localparam CLOCKS = 128 / N;
  reg [$clog2(CLOCKS)-1:0] turned;
  wire turns = take || turned != 0;

  integer i;  // a word
  always @(posedge clk) begin
    if (turns) turned <= turned + 1'b1;
    if (turns) key <= {key[N-1:0], key[127:N]};
    if (take) start <= {{N{1'b0}}, start[127:N]};
    for (i = 0; i < 4; i = i + 1) begin
      if (key_write && key_word == i[1:0]) key[32*i +: 32] <= write_data;
    end
    for (i = 0; i < 3; i = i + 1) begin
      if (nonce_write && nonce_word == i[1:0]) start[32*i +: 32] <= write_data;
    end
    if (nonce_write) start[127:96] <= 32'h7fffffff;
    if (clears) begin
      turned <= 0;
      key <= 128'd0;
      start <= 128'd0;
    end
  end

  assign key_low = key[N-1:0];
  assign key_high = key[64 +: N];
  assign nonce = start[N-1:0];

endmodule

`default_nettype wire
