// SPDX-License-Identifier: Apache-2.0
// The core with an APB register file and two AXI4-Streams.
//
// Parameters: N, FAST and LOW_POWER of samara_grain128.v. Beats have 8 * BYTES bits: one byte up
// to N = 16, 2 at N = 32, 4 at N = 64.
//
// One clock domain: registers and both streams move with `clk`, and nothing here crosses to
// another clock. `reset_n` is sampled by `clk` and not synchronised here: whoever drives it
// synchronises both of its edges. It stops the streams too, so it has to reset what is at
// their other ends.
//
// Registers, 32 bits each; bytes in the order in which they are sent, the first in
// bits 7 to 0
//   0x00  VERSION   r    0x53470002: "SG", 2.
//   0x04  CONTROL   w    1 seal, 2 open, 4 clear, 8 the input has stopped (also with
//                        clear: 12). Seal and open are refused unless STATUS says
//                        ready, key and new nonce. Clear overwrites key, nonce, and the
//                        core's state, whatever runs; see "Clear" below.
//   0x08  STATUS    r    bit 0 ready; bit 1 the tag is there (sealed); bit 2 verified
//                        (opened); bit 3 NOT genuine (opened); bit 4 a new nonce is
//                        there; bit 5 a key is there; bit 6 tlast of s_axis was not
//                        where the sizes say: the message is lost, send clear; bit 7
//                        the rest of a message that was cleared is thrown away.
//   0x0c  AD_SIZE   rw   Bytes of associated data, up to 65535.
//   0x10  SIZE      rw   Bytes of the message, up to 2^32 - 1.
//   0x20  KEY       w    Four words, in order. The first one takes away the key and the
//                        nonce that were there, so that no message has parts of two
//                        keys; the last one makes the key valid.
//   0x30  NONCE     w    Three words, in order, the same way. Each message needs a new
//                        one, written behind the first word of its key.
//   0x40  TAG       rw   Two words. Sealed: the tag, once STATUS says so. To be opened:
//                        the received tag, written before CONTROL. Otherwise 0.
// Other addresses and forbidden accesses (a word of key or nonce out of order, too)
// answer with PSLVERR and change nothing.
//
// Streams: a packet a message; none if it has no byte.
//   s_axis   The associated data and directly behind it the message, without a gap.
//            Beats are full but for the last, which has tlast. The sizes say how many
//            bytes of it count. A packet that ends elsewhere gives no tag, and is not
//            verified.
//   m_axis   The message, encrypted or decrypted. Beats are full but for the last, of
//            which tkeep says what is there, from the lowest byte on. When opening, all
//            of it is UNVERIFIED until STATUS says verified. A beat that is offered
//            stays until it is taken.
//
// Clear: what was taken in is overwritten, but a beat of m_axis that is already offered
// stays, since AXI forbids to take it back. If a part of the packet has left, the last
// beat has tlast and no byte (tkeep 0). Of s_axis the rest of the packet, to its tlast, is
// still to come, from buffers and DMA in front of it: it is taken and thrown away, and
// ready comes behind it. A host that has stopped its DMA and emptied what is in front of
// s_axis, or that never began to send, says so: CONTROL 8, which ends the wait.

`timescale 1ns / 1ps
`default_nettype none

module samara_grain128_axi #(
    parameter N = 8,
    parameter FAST = 0,
    parameter LOW_POWER = 0,
    // Not to be set.
    parameter W = N == 1 ? 1 : N / 2,
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input  wire               clk,
    input  wire               reset_n,

    input  wire               psel,
    input  wire               penable,
    input  wire               pwrite,
    // Registers are words: the lowest two bits say nothing.
    // verilator lint_off UNUSEDSIGNAL
    input  wire [6:0]         paddr,
    // verilator lint_on UNUSEDSIGNAL
    input  wire [31:0]        pwdata,
    output wire               pready,
    output wire [31:0]        prdata,
    output wire               pslverr,

    input  wire               s_axis_tvalid,
    output wire               s_axis_tready,
    input  wire [8*BYTES-1:0] s_axis_tdata,
    input  wire               s_axis_tlast,

    output wire               m_axis_tvalid,
    input  wire               m_axis_tready,
    output wire [8*BYTES-1:0] m_axis_tdata,
    output wire [BYTES-1:0]   m_axis_tkeep,
    output wire               m_axis_tlast
);

  localparam [4:0]  // paddr / 4
      VERSION = 5'h00, CONTROL = 5'h01, STATUS = 5'h02, AD_SIZE = 5'h03, SIZE = 5'h04,
      KEY = 5'h08, NONCE = 5'h0c, TAG = 5'h10;

  // --- Registers -------------------------------------------------------------

  wire [4:0] address = paddr[6:2];
  wire is_write = psel && penable && pwrite;
  wire is_key = address[4:2] == KEY[4:2];
  wire is_nonce = address[4:2] == NONCE[4:2] && address[1:0] != 2'd3;
  wire is_tag = address[4:1] == TAG[4:1];

  reg [15:0] ad_size;
  reg [31:0] message_size;
  reg is_opening;
  reg has_tag;
  reg has_verified;
  reg has_failed;
  // Words that were written, in order.
  reg [2:0] key_words;
  reg [1:0] nonce_words;
  wire has_key = key_words == 3'd4;
  wire has_nonce = nonce_words == 2'd3;
  reg [63:0] tag;

  wire core_ready;
  wire core_done;
  wire core_verified;
  wire core_tag_valid;
  wire [63:0] core_tag;
  wire output_is_empty;
  reg has_error;  // tlast was not where the sizes say
  reg is_drained;  // the rest of a packet is thrown away
  wire ready = core_ready && output_is_empty && !has_error && !is_drained;

  wire commands = is_write && address == CONTROL;
  wire clear = commands && pwdata[2];
  wire stops = commands && pwdata[3] && pwdata[1:0] == 2'd0 && (clear || is_drained);
  wire starts = commands && pwdata[3:2] == 2'd0
      && (pwdata[0] ^ pwdata[1]) && ready && has_key && has_nonce;
  // Nothing of a message changes while it runs.
  wire writes = is_write && ready;
  // The first word of a key or nonce, or the one behind that which was written.
  wire [1:0] word = address[1:0];
  wire writes_key = writes && is_key && (word == 2'd0 || key_words == {1'b0, word});
  wire writes_nonce = writes && is_nonce && (word == 2'd0 || nonce_words == word);

  assign pready = 1'b1;
  assign prdata =
      address == VERSION ? 32'h53470002
      : address == STATUS
      ? {24'd0, is_drained, has_error, has_key, has_nonce, has_failed, has_verified, has_tag, ready}
      : address == AD_SIZE ? {16'd0, ad_size}
      : address == SIZE ? message_size
      : is_tag && has_tag ? tag[32*address[0] +: 32]
      : 32'd0;

  wire can_read = address == VERSION || address == STATUS || address == AD_SIZE
      || address == SIZE || is_tag;
  wire can_write = address == CONTROL ? clear || stops || starts
      : ready && (address == AD_SIZE ? pwdata[31:16] == 16'd0
                  : address == SIZE || writes_key || writes_nonce || is_tag);
  assign pslverr = psel && penable && !(pwrite ? can_write : can_read);

  wire tag_word_taken;

  always @(posedge clk) begin
    if (!reset_n || clear) begin
      ad_size <= 16'd0;
      message_size <= 32'd0;
      is_opening <= 1'b0;
      has_tag <= 1'b0;
      has_verified <= 1'b0;
      has_failed <= 1'b0;
      key_words <= 3'd0;
      nonce_words <= 2'd0;
      tag <= 64'd0;
    end else begin
      if (writes && address == AD_SIZE && pwdata[31:16] == 16'd0)
        ad_size <= pwdata[15:0];
      if (writes && address == SIZE) message_size <= pwdata;
      if (writes && is_tag) begin
        tag[32*address[0] +: 32] <= pwdata;
        has_tag <= 1'b0;
      end
      if (writes_key) key_words <= {1'b0, word} + 3'd1;
      if (writes_nonce) nonce_words <= word + 2'd1;
      if (starts || (writes_key && word == 2'd0)) nonce_words <= 2'd0;
      if (starts) begin
        is_opening <= pwdata[1];
        has_tag <= 1'b0;
        has_verified <= 1'b0;
        has_failed <= 1'b0;
      end
      if (tag_word_taken) tag <= {{W{1'b0}}, tag[63:W]};
      if (core_tag_valid && !has_error) begin
        tag <= core_tag;
        has_tag <= 1'b1;
      end
      if (core_done && is_opening && !has_error) begin
        has_verified <= core_verified;
        has_failed <= !core_verified;
      end
    end
  end

  // --- Input: a packet a message -----------------------------------------------

  reg packet_is_open;  // of a message that began; its tlast was not taken yet
  wire beat_is_last;  // by the sizes
  wire beat_valid = s_axis_tvalid && packet_is_open && !is_drained;
  wire beat_ready;
  assign s_axis_tready = packet_is_open && (is_drained || beat_ready);
  wire beat_is_taken = s_axis_tvalid && s_axis_tready;
  wire packet_ends = (beat_is_taken && s_axis_tlast) || stops;

  always @(posedge clk) begin
    if (!reset_n) packet_is_open <= 1'b0;
    else if (starts) packet_is_open <= ad_size != 16'd0 || message_size != 32'd0;
    else if (packet_ends) packet_is_open <= 1'b0;

    if (!reset_n || packet_ends) is_drained <= 1'b0;
    else if (clear) is_drained <= packet_is_open;

    if (!reset_n || clear) has_error <= 1'b0;
    else if (beat_is_taken && !is_drained && s_axis_tlast != beat_is_last)
      has_error <= 1'b1;
  end

  // --- Core ------------------------------------------------------------------

  wire take;
  wire [N-1:0] key_low;
  wire [N-1:0] key_high;
  wire [N-1:0] nonce;

  samara_grain128_source #(.N(N)) source (
      .clk(clk),
      .clears(!reset_n || clear),
      .key_write(writes_key),
      .key_word(word),
      .nonce_write(writes_nonce),
      .nonce_word(word),
      .write_data(pwdata),
      .take(take),
      .key_low(key_low),
      .key_high(key_high),
      .nonce(nonce)
  );

  wire word_valid;
  wire word_ready;
  wire [W-1:0] word_data;
  wire [BYTES-1:0] word_message;
  wire word_last;
  wire [BYTES-1:0] word_keep;
  wire words_ended;

  samara_grain128_format #(.W(W)) format (
      .clk(clk),
      .restarts(!reset_n || clear),
      .begins(starts),
      .ad_size(ad_size),
      .message_size(message_size),
      .beat_valid(beat_valid),
      .beat_ready(beat_ready),
      .beat_data(s_axis_tdata),
      .beat_last(beat_is_last),
      .word_valid(word_valid),
      .word_ready(word_ready && !words_ended),
      .word_data(word_data),
      .word_message(word_message),
      .word_last(word_last),
      .word_keep(word_keep),
      .ended(words_ended)
  );

  wire out_valid;
  wire out_ready;
  wire [W-1:0] out_data;
  wire [BYTES-1:0] out_keep;

  assign tag_word_taken = words_ended && is_opening && word_ready;

  samara_grain128 #(
      .N(N), .AUTHENTICATE(1), .FAST(FAST), .LOW_POWER(LOW_POWER)
  ) core (
      .clk(clk),
      .reset_n(reset_n),
      .start(starts),
      .opening(starts ? pwdata[1] : is_opening),
      .clear(clear),
      .ready(core_ready),
      .take(take),
      .key_low(key_low),
      .key_high(key_high),
      .nonce(nonce),
      .in_valid(words_ended ? is_opening : word_valid),
      .in_ready(word_ready),
      .in_data(words_ended ? tag[W-1:0] : word_data),
      .in_message(words_ended ? {BYTES{1'b0}} : word_message),
      .in_last(word_last),
      .in_keep(word_keep),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_data(out_data),
      .out_keep(out_keep),
      .tag_valid(core_tag_valid),
      .tag_ready(1'b1),
      .tag(core_tag),
      .done(core_done),
      .verified(core_verified)
  );

  // --- Output --------------------------------------------------------------------

  samara_grain128_beats #(.W(W)) beats (
      .clk(clk),
      .reset_n(reset_n),
      .begins(starts),
      .ends(clear),
      .word_valid(out_valid),
      .word_ready(out_ready),
      .word_data(out_data),
      .word_keep(out_keep),
      .word_last(word_last),
      .tvalid(m_axis_tvalid),
      .tready(m_axis_tready),
      .tdata(m_axis_tdata),
      .tkeep(m_axis_tkeep),
      .tlast(m_axis_tlast),
      .is_empty(output_is_empty)
  );

endmodule

`default_nettype wire
