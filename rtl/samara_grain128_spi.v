// SPDX-License-Identifier: Apache-2.0
// The core behind a serial port of 8 bits (SPI mode 0, most significant bit first), for
// small FPGAs.
//
// Parameters: N (1 to 16), FAST and LOW_POWER of samara_grain128.v.
//
// A transaction is a command and its bytes, with cs_n low:
//
//   cs_n  __                                                        ___
//           |______________________________________________________|
//   mosi  --< command      >< byte 0       >< byte 1       ><  ...  >--
//   miso  --< status       >< answer 0     >< answer 1     ><  ...  >--
//
//   0x00  STATUS  Nothing; any other code does nothing either.
//   0x01  KEY     16 bytes in, in one transaction; more are ignored. No command reads
//                 it. The first byte takes away the key and the nonce that were there,
//                 so that no message has parts of two keys.
//   0x02  NONCE   12 bytes in, the same way. Each message needs a new one, written
//                 behind its key.
//   0x03  SEAL    4 bytes in: bytes of associated data, bytes of the message, the low
//   0x04  OPEN    byte of each first. Begins a message if key and new nonce are there.
//   0x05  DATA    Bytes in: the associated data, the message and, to open, the tag (8
//                 bytes), all in one transaction (sck may pause). Answer i + 2 is
//                 byte i, encrypted or decrypted (0 for associated data), so that two
//                 bytes of any value must follow the last one of the message. When
//                 opening all of it is UNVERIFIED until the status says verified.
//   0x06  TAG     8 bytes out, once, when the status says so; otherwise zeros.
//   0x07  CLEAR   Overwrites key, nonce and the core's state, whatever runs.
//
//   status  bit 0  ready: KEY, NONCE, SEAL, OPEN are taken; a transaction of these that
//                  begins before is ignored to its end
//           bit 1  DATA is taken: start-up has ended
//           bit 2  the tag is there (sealed)
//           bit 3  verified (opened)
//           bit 4  NOT genuine (opened)
//           bit 5  overrun: DATA came too early; the message is lost, send CLEAR
//           bit 6  a new nonce is there: all of its bytes
//           bit 7  a key is there: all of its bytes
//
// One clock domain, that of `clk`: sck, cs_n and mosi are data, which two flip-flops each
// bring into it. `reset_n` is sampled by `clk` and not synchronised here: whoever drives it
// synchronises both of its edges.
//
// Clocks: `clk` samples the port, and must be at least 10 times as fast as `sck`: miso
// moves 4 of `clk` behind a falling edge of `sck`, and a byte takes the core 16 at most.
// From SEAL or OPEN to bit 1: samara_grain128.v, "start to first word", and 4 more.

`timescale 1ns / 1ps
`default_nettype none

module samara_grain128_spi #(
    parameter N = 1,
    parameter FAST = 0,
    parameter LOW_POWER = 0
) (
    input  wire clk,
    input  wire reset_n,
    input  wire sck,
    input  wire cs_n,
    input  wire mosi,
    output reg  miso
);

  // There is no module of this name: such a port is not made.
  generate
    if (N > 16) begin : illegal_n
      N_must_be_16_or_less stop ();
    end
  endgenerate

  localparam W = N == 1 ? 1 : N / 2;
  localparam [7:0] KEY = 8'h01, NONCE = 8'h02, SEAL = 8'h03, OPEN = 8'h04,
      DATA = 8'h05, TAG = 8'h06, CLEAR = 8'h07;

  // --- Bytes -------------------------------------------------------------------

  // Two flip-flops against metastability, a third for edges.
  reg [2:0] sck_seen;
  reg [1:0] cs_n_seen;
  reg [1:0] mosi_seen;
  reg was_selected;
  always @(posedge clk) begin
    sck_seen <= {sck_seen[1:0], sck};
    cs_n_seen <= {cs_n_seen[0], cs_n};
    mosi_seen <= {mosi_seen[0], mosi};
    was_selected <= selected;
  end
  wire selected = !cs_n_seen[1];
  wire rises = sck_seen[2:1] == 2'b01;
  wire falls = sck_seen[2:1] == 2'b10;

  reg [2:0] bit_index;
  reg [6:0] bits_in;
  wire [7:0] byte_in = {bits_in, mosi_seen[1]};
  wire byte_ends = selected && rises && bit_index == 3'd7;

  reg is_command;  // the byte that comes is one
  reg [7:0] command;
  reg [3:0] index;  // of the byte behind the command
  wire command_ends = byte_ends && is_command;
  wire argument_ends = byte_ends && !is_command;

  reg [7:0] bits_out;
  wire [7:0] status;
  wire [7:0] answer;

  always @(posedge clk) begin
    if (!reset_n || !selected) begin
      bit_index <= 3'd0;
      bits_in <= 7'd0;
      is_command <= 1'b1;
      command <= 8'd0;
      index <= 4'd0;
    end else if (rises) begin
      bit_index <= bit_index + 3'd1;
      bits_in <= byte_in[6:0];
      if (command_ends) command <= byte_in;
      if (argument_ends) index <= index + 4'd1;
      if (byte_ends) is_command <= 1'b0;
    end
    if (!reset_n || clear) begin
      miso <= 1'b0;
      bits_out <= 8'd0;
    end else if (selected && !was_selected)
      {miso, bits_out} <= {status, 1'b0};
    else if (byte_ends) bits_out <= answer;
    else if (selected && falls) {miso, bits_out} <= {bits_out, 1'b0};
  end

  // --- Commands ------------------------------------------------------------------

  wire clear = command_ends && byte_in == CLEAR;
  wire restarts = !reset_n || clear;

  wire core_ready;
  wire core_done;
  wire core_verified;
  wire tag_valid;
  wire [63:0] core_tag;
  wire in_ready;

  reg is_opening;
  reg has_key;
  reg has_nonce;
  reg is_taken;  // the core was ready when the command came, less than 16 bytes ago
  reg takes_data;
  reg has_verified;
  reg has_failed;
  reg has_overrun;

  // Words of 32 bits for key and nonce, and the sizes: the byte that comes is the last.
  reg [23:0] bytes_before;
  wire takes = argument_ends && is_taken && core_ready;
  wire word_ends = takes && index[1:0] == 2'd3;
  wire [31:0] word = {byte_in, bytes_before};
  wire key_write = word_ends && command == KEY;
  wire nonce_write = word_ends && command == NONCE && index[3:2] != 2'd3;
  wire starts = word_ends && (command == SEAL || command == OPEN) && has_key
      && has_nonce && index[3:2] == 2'd0;

  reg begins;  // one clock behind `starts`
  reg [31:0] sizes;

  // The byte of DATA that waits for the core.
  reg byte_waits;
  reg [7:0] held;
  wire byte_leaves;
  wire message_runs = takes_data && !has_overrun;
  wire data_ends = argument_ends && command == DATA && !core_ready && !tag_valid;

  always @(posedge clk) begin
    if (restarts) begin
      bytes_before <= 24'd0;
      sizes <= 32'd0;
      begins <= 1'b0;
      is_opening <= 1'b0;
      has_key <= 1'b0;
      has_nonce <= 1'b0;
      is_taken <= 1'b0;
      takes_data <= 1'b0;
      has_verified <= 1'b0;
      has_failed <= 1'b0;
      has_overrun <= 1'b0;
      byte_waits <= 1'b0;
      held <= 8'd0;
    end else begin
      if (command_ends) is_taken <= core_ready;
      else if (argument_ends && index == 4'd15) is_taken <= 1'b0;
      if (takes) bytes_before <= word[31:8];
      // Each byte takes away what was there, and the last one makes it valid.
      if (takes && command == KEY) has_key <= index == 4'd15;
      if (takes && command == KEY) has_nonce <= 1'b0;
      if (takes && command == NONCE && index[3:2] != 2'd3)
        has_nonce <= index == 4'd11;
      begins <= starts;
      if (starts) begin
        sizes <= word;
        is_opening <= command == OPEN;
        has_nonce <= 1'b0;
        has_verified <= 1'b0;
        has_failed <= 1'b0;
      end
      if (core_done) takes_data <= 1'b0;
      else if (in_ready) takes_data <= 1'b1;
      if (core_done && is_opening) begin
        has_verified <= core_verified;
        has_failed <= !core_verified;
      end
      // What comes behind the last byte of a message is of no use, but for its answer.
      if (data_ends && !is_complete) begin
        if (!message_runs || byte_waits) has_overrun <= 1'b1;
        else held <= byte_in;
        byte_waits <= message_runs;
      end else if (byte_leaves) byte_waits <= 1'b0;
    end
  end

  // --- Core --------------------------------------------------------------------

  wire take;
  wire [N-1:0] key_low;
  wire [N-1:0] key_high;
  wire [N-1:0] nonce;

  samara_grain128_source #(.N(N)) source (
      .clk(clk),
      .clears(restarts),
      .key_write(key_write),
      .key_word(index[3:2]),
      .nonce_write(nonce_write),
      .nonce_word(index[3:2]),
      .write_data(word),
      .take(take),
      .key_low(key_low),
      .key_high(key_high),
      .nonce(nonce)
  );

  wire words_valid;
  wire [W-1:0] words_data;
  wire words_message;
  wire words_last;
  wire words_keep;
  wire words_ended;
  wire words_byte_leaves;
  wire last_is_unused;  // a transaction says nothing about where a message ends

  samara_grain128_format #(.W(W), .SIZE_BITS(16)) format (
      .clk(clk),
      .restarts(restarts),
      .begins(begins),
      .ad_size(sizes[15:0]),
      .message_size(sizes[31:16]),
      .beat_valid(byte_waits),
      .beat_ready(words_byte_leaves),
      .beat_data(held),
      .beat_last(last_is_unused),
      .word_valid(words_valid),
      .word_ready(in_ready && !words_ended),
      .word_data(words_data),
      .word_message(words_message),
      .word_last(words_last),
      .word_keep(words_keep),
      .ended(words_ended)
  );

  // The received tag, in words of W.
  reg [2:0] tag_place;  // bit of the byte
  reg [3:0] tag_bytes;
  wire receives = words_ended && is_opening && !core_ready && !begins;
  wire tag_word_taken = receives && byte_waits && in_ready;
  wire [3:0] next_place = {1'b0, tag_place} + W[3:0];
  wire tag_byte_leaves = tag_word_taken && next_place[3];
  always @(posedge clk) begin
    if (restarts || begins) begin
      tag_place <= 3'd0;
      tag_bytes <= 4'd0;
    end else if (tag_word_taken) begin
      tag_place <= next_place[2:0];
      if (tag_byte_leaves) tag_bytes <= tag_bytes + 4'd1;
    end
  end
  assign byte_leaves = receives ? tag_byte_leaves : words_byte_leaves;
  wire is_complete = words_ended && (!is_opening || tag_bytes[3]);

  wire out_valid;
  wire out_keep;
  wire [W-1:0] out_data;
  wire tag_is_read;

  samara_grain128 #(
      .N(N), .AUTHENTICATE(1), .FAST(FAST), .LOW_POWER(LOW_POWER)
  ) core (
      .clk(clk),
      .reset_n(reset_n),
      .start(begins),
      .opening(is_opening),
      .clear(clear),
      .ready(core_ready),
      .take(take),
      .key_low(key_low),
      .key_high(key_high),
      .nonce(nonce),
      .in_valid(receives ? byte_waits : words_valid && !words_ended),
      .in_ready(in_ready),
      .in_data(receives ? held[tag_place +: W] : words_data),
      .in_message(words_message && !receives),
      .in_last(words_last),
      .in_keep(words_keep),
      .out_valid(out_valid),
      .out_ready(1'b1),
      .out_data(out_data),
      .out_keep(out_keep),
      .tag_valid(tag_valid),
      .tag_ready(tag_is_read),
      .tag(core_tag),
      .done(core_done),
      .verified(core_verified)
  );

  // --- Answers -------------------------------------------------------------------

  // W bits after W bits; whole when the byte has left `held`.
  reg [7:0] out_byte;
  wire [W+7:0] out_shifted = {out_data, out_byte};
  always @(posedge clk) begin
    if (restarts || begins) out_byte <= 8'd0;
    else if (out_valid) out_byte <= out_shifted[W+7:W];
  end
  wire unused = &{out_keep, out_shifted[W-1:0]};  // for lint

  // The tag stays in the core until its last byte was loaded. An overrun gives none.
  wire gives_tag = tag_valid && !has_overrun && byte_ends
      && (is_command ? byte_in == TAG : command == TAG);
  wire [2:0] tag_index = is_command ? 3'd0 : index[2:0] + 3'd1;
  assign tag_is_read = gives_tag && tag_index == 3'd7;

  assign answer = gives_tag ? core_tag[8*tag_index +: 8]
      : command == DATA ? out_byte : 8'd0;
  assign status = {has_key, has_nonce, has_overrun, has_failed, has_verified,
                   tag_valid && !has_overrun, message_runs && !is_complete, core_ready};

endmodule

`default_nettype wire
