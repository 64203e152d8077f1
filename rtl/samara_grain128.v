// SPDX-License-Identifier: Apache-2.0
// Grain-128AEADv2, N pre-output bits a clock, or Grain-128PLE's keystream.
//
// Parameters
//   N             1, 2, 4, 8, 16, 32 or 64.
//   AUTHENTICATE  1: seals and opens, W = N/2 bits a clock (N = 1: one bit every
//                 second clock). 0: keystream only, W = N bits a clock.
//   FAST          1: shorter paths for a few flip-flops more, and tags come one
//                 clock later (samara_grain128_generator.v, _authenticator.v).
//
// Bits are numbered as bytes are sent: bit 0 of a word is the first, which is the
// least significant bit of the first byte.
//
// Ports
//   start         Begins a message when `ready` is high: `opening` is read then.
//   clear         Ends whatever runs and overwrites all registers with zeros.
//   take          The core reads `key_low`, `key_high` and `nonce` in this clock.
//                 The source then moves on by N bits: samara_grain128_source.v.
//   key_low       Bits 0, 1, ... of the key, as a ring of 128 bits.
//   key_high      The same ring, 64 bits further.
//   nonce         96 bits of nonce, 31 ones, one zero.
//   in_*          What is authenticated, in order: the length of the associated data
//                 in DER, the associated data, the message (in_message = 1). When
//                 opening, the received tag follows. in_last marks the last word
//                 before the tag. Words of 2 and 4 bytes (N = 32, 64) hold what
//                 comes without gaps: in_message has a bit for each byte, and
//                 in_keep says which bytes of the last word are there.
//   out_*         The message, encrypted or decrypted: a word for each word that has
//                 some of it, in the places that out_keep says. When opening this is
//                 UNVERIFIED until `verified`.
//                 AUTHENTICATE = 0: the keystream.
//   tag           The tag while `tag_valid`; otherwise internal state that must
//                 not leave the chip.
//   done          One clock: the message has ended.
//   verified      One clock, with `done`: the received tag was the right one.
//
//                 _   _   _   _   _   _   _   _   _   _   _   _   _
//   clk         _| |_| |_| |_| |_| |_| |_| |_| |_| |_| |_| |_| |_| |_
//                ___                                   ___     ___
//   start       |   |_________________________________|   |___|      next message
//                     ___________________
//   take        _____|  load             |___..._____
//                                                  _______________
//   in_ready    __________________________________|  data, last   |__
//
// Latency in clocks, from `start` to the first `in_ready` (out_valid for the
// keystream): 1 + 128/N + 320/N + 64/N + 2 * 64/W (keystream: 2 * 64/N).
// From the last word to tag_valid: 1, and one more if the last word is full (N = 1:
// two more); FAST: one more.
// From the last word of a received tag to `done`: 2; FAST: one more. None depends on key, nonce or
// data, and tags are compared whole.

`timescale 1ns / 1ps
`default_nettype none

module samara_grain128 #(
    parameter N = 1,
    parameter AUTHENTICATE = 1,
    parameter FAST = 0,
    // Not to be set: width of data, and its bytes.
    parameter W = AUTHENTICATE == 0 ? N : N == 1 ? 1 : N / 2,
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input  wire             clk,
    input  wire             reset_n,

    input  wire             start,
    input  wire             opening,
    input  wire             clear,
    output wire             ready,

    output wire             take,
    input  wire [N-1:0]     key_low,
    input  wire [N-1:0]     key_high,
    input  wire [N-1:0]     nonce,

    input  wire             in_valid,
    output wire             in_ready,
    input  wire [W-1:0]     in_data,
    input  wire [BYTES-1:0] in_message,
    input  wire             in_last,
    input  wire [BYTES-1:0] in_keep,

    output wire             out_valid,
    input  wire             out_ready,
    output wire [W-1:0]     out_data,
    output wire [BYTES-1:0] out_keep,

    output wire             tag_valid,
    input  wire             tag_ready,
    output wire [63:0]      tag,
    output wire             done,
    output wire             verified
);

  // --- Control -------------------------------------------------------------

  localparam [3:0]
      CLEAR   = 4'd0,   // zeros into all registers: 2 units
      IDLE    = 4'd1,
      LOAD    = 4'd2,   // key and nonce: 2 units
      MIX     = 4'd3,   // pre-output fed back: 5 units
      KEY     = 4'd4,   // and the key added: 1 unit
      FILL_A  = 4'd5,   // accumulator: 64 bits in words of W
      FILL_R  = 4'd6,   // register: as many
      RUN     = 4'd7,
      PAD     = 4'd8,   // the bit behind the message
      TAG     = 4'd9,   // sealing: the tag is there
      RECEIVE = 4'd10,  // opening: the received tag into the register
      ADD     = 4'd11,  // and into the accumulator, which is then zero
      SETTLE  = 4'd12,  // FAST: the authenticator is one clock behind
      COMPARE = 4'd13;

  // A unit is 64 bits of the generator: 64/N clocks.
  localparam CLOCKS = 64 / N;
  localparam TICK_BITS = N == 64 ? 1 : $clog2(CLOCKS);
  // Units that 64 bits in words of W take; the keystream passes over as many.
  localparam [2:0] FILL_UNITS = N == 1 || AUTHENTICATE == 0 ? 3'd1 : 3'd2;

  reg [3:0] state;
  reg [2:0] unit;
  reg [TICK_BITS-1:0] tick;
  reg is_opening;
  reg odd;  // second half of a word's work: see "Words" below

  wire in_beat;  // a word is taken
  wire is_counting = state == CLEAR || state == LOAD || state == MIX
      || state == KEY || state == FILL_A || state == FILL_R
      || (state == RECEIVE && in_beat);
  wire unit_ends = N == 64 || &tick;
  reg [2:0] last_unit;

  always @* begin
    case (state)
      MIX: last_unit = 3'd4;
      KEY: last_unit = 3'd0;
      FILL_A, FILL_R, RECEIVE: last_unit = FILL_UNITS - 3'd1;
      default: last_unit = 3'd1;
    endcase
  end

  wire ends = is_counting && unit_ends && unit == last_unit;
  wire last_is_full;  // no room in the last word for the bit behind the message

  // What follows the message.
  wire [3:0] behind = is_opening ? RECEIVE : FAST != 0 ? SETTLE : TAG;

  reg [3:0] next;
  always @* begin
    next = state;
    case (state)
      CLEAR:   if (ends) next = IDLE;
      IDLE:    if (start) next = LOAD;
      LOAD:    if (ends) next = MIX;
      MIX:     if (ends) next = KEY;
      KEY:     if (ends) next = FILL_A;
      FILL_A:  if (ends) next = FILL_R;
      FILL_R:  if (ends) next = RUN;
      RUN:     if (in_beat && in_last && AUTHENTICATE != 0)
                 next = last_is_full ? PAD : behind;
      PAD:     next = behind;
      SETTLE:  next = is_opening ? COMPARE : TAG;
      TAG:     if (tag_ready) next = IDLE;
      RECEIVE: if (ends) next = ADD;
      ADD:     next = FAST != 0 ? SETTLE : COMPARE;
      default: next = IDLE;
    endcase
    if (clear) next = CLEAR;
  end

  wire half_ends = N != 1 || !odd;  // N = 1: a word takes two clocks in RUN, PAD

  always @(posedge clk) begin
    if (!reset_n) begin
      state <= CLEAR;
      unit <= 0;
      tick <= 0;
      odd <= 0;
    end else if (clear) begin
      state <= CLEAR;
      unit <= 0;
      tick <= 0;
      odd <= 0;
    end else begin
      if (state != PAD || half_ends) state <= next;
      if (is_counting && N != 64) tick <= tick + 1'b1;
      if (is_counting && unit_ends) unit <= ends ? 3'd0 : unit + 3'd1;
      if (N == 1) odd <= in_beat && state == RUN;
      else odd <= (state == FILL_A || state == FILL_R) && !odd;
    end
    if (state == IDLE) is_opening <= opening;
  end

  assign ready = state == IDLE;
  assign take = state == LOAD || state == KEY;
  wire runs = state == RUN && half_ends;

  // --- Generator -----------------------------------------------------------

  wire [N-1:0] y;
  reg advances;

  samara_grain128_generator #(.N(N), .LOOK_AHEAD(FAST)) generator (
      .clk(clk),
      .advances(advances),
      .clears(state == CLEAR),
      .loads(state == LOAD),
      .mixes(state == MIX || state == KEY),
      .adds_key(state == KEY),
      .key_low(key_low),
      .key_high(key_high),
      .nonce(nonce),
      .pre_output(y)
  );

  wire out_beat = out_valid && out_ready;
  always @* begin
    case (state)
      CLEAR, LOAD, MIX, KEY: advances = 1'b1;
      FILL_A, FILL_R: advances = N == 1 || AUTHENTICATE == 0 || odd;
      RUN: advances = AUTHENTICATE == 0 ? out_beat : in_beat || (N == 1 && odd);
      PAD: advances = N == 1 && odd;
      default: advances = 1'b0;
    endcase
  end

  generate
    if (AUTHENTICATE == 0) begin : keystream

      assign in_ready = 1'b0;
      assign in_beat = 1'b0;
      assign last_is_full = 1'b0;
      assign out_valid = state == RUN;
      assign out_data = y;
      assign out_keep = {BYTES{1'b1}};
      assign tag_valid = 1'b0;
      assign tag = 64'd0;
      assign done = 1'b0;
      assign verified = 1'b0;

    end else begin : aead

      // --- Words -------------------------------------------------------------
      // The even bits of y encrypt, the odd ones enter the register. N = 1: y is
      // the even bit in one clock and the odd one in the next (`odd`).

      wire [W-1:0] even_bits;
      wire [W-1:0] odd_bits;
      genvar k;
      if (N == 1) begin : serial
        assign even_bits = y;
        assign odd_bits = y;
      end else begin : parallel
        for (k = 0; k < W; k = k + 1) begin : pair
          assign even_bits[k] = y[2*k];
          assign odd_bits[k] = y[2*k+1];
        end
      end

      wire has_message = |in_message;
      assign in_ready = (runs && (!has_message || out_ready)) || state == RECEIVE;
      assign in_beat = in_valid && in_ready;
      assign out_valid = runs && in_valid && has_message;
      assign out_data = in_data ^ even_bits;
      assign out_keep = in_message & (in_keep | {BYTES{!in_last}});
      assign last_is_full = in_keep[BYTES-1];

      // --- Authenticator -------------------------------------------------------

      wire [W-1:0] decrypts;  // a bit for each of the word
      if (BYTES == 1) begin : whole_word
        assign decrypts = {W{in_message[0] && is_opening}};
      end else begin : each_byte
        for (k = 0; k < BYTES; k = k + 1) begin : of
          assign decrypts[8*k +: 8] = {8{in_message[k] && is_opening}};
        end
      end
      wire [W-1:0] plain = in_data ^ (even_bits & decrypts);
      // Of the last word only what is there, and behind it the bit that ends it.
      wire [W-1:0] kept;
      if (W <= 8) begin : whole
        assign kept = plain;
      end else begin : bytes
        assign kept[7:0] = plain[7:0];
        for (k = 1; k < BYTES; k = k + 1) begin : byte_
          wire there = in_keep[k] || !in_last;
          assign kept[8*k +: 8] = (plain[8*k +: 8] & {8{there}})
              | {7'd0, !there && in_keep[k-1]};
        end
      end

      wire starts_r = state == FILL_R && unit == 0 && tick == 0 && !(odd && N != 1);
      wire adds_one = starts_r || (state == PAD && half_ends) || state == ADD;
      wire clears = state == CLEAR || state == LOAD;
      wire adds = (in_beat && state == RUN) || adds_one;
      wire [W-1:0] bits = state == RUN ? kept : {W{1'b0}} | 1'b1;

      reg [W-1:0] fresh;
      always @* begin
        case (state)
          CLEAR: fresh = {W{1'b0}};
          RECEIVE: fresh = in_data;
          FILL_A, FILL_R: fresh = N == 1 || odd ? y[N-1 -: W] : y[W-1:0];
          default: fresh = odd_bits;
        endcase
      end

      wire shifts = state == CLEAR || state == FILL_A || state == FILL_R
          || (N == 1 ? odd : state == RUN && in_beat)
          || (state == RECEIVE && in_beat);

      wire is_zero;
      samara_grain128_authenticator #(.W(W), .ISOLATED(FAST)) authenticator (
          .clk(clk),
          .clears(clears),
          .shifts(shifts),
          .adds(adds),
          .bits(bits),
          .fresh(fresh),
          .accumulator(tag),
          .is_zero(is_zero)
      );

      assign tag_valid = state == TAG;
      assign done = state == COMPARE || (state == TAG && tag_ready);
      assign verified = state == COMPARE && is_zero;

    end
  endgenerate

endmodule

`default_nettype wire
