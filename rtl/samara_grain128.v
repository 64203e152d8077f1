// SPDX-License-Identifier: Apache-2.0
// Grain-128AEADv2, N pre-output bits a clock, or Grain-128PLE's keystream.
// docs/chip.md has the block diagram, the states, and how to integrate it.
//
// Parameters
//   N             1, 2, 4, 8, 16, 32 or 64.
//   AUTHENTICATE  1: seals and opens, W = N/2 bits a clock (N = 1: one bit every
//                 second clock). 0: keystream only, W = N bits a clock.
//   FAST          1: shorter paths for a few flip-flops more (samara_grain128_generator.v,
//                 _authenticator.v). Isolated.
//   LOW_POWER     1: what is not used does not toggle. Isolated from N = 16 on.
//   Isolated: the authenticator is one clock behind the generator, also when it is
//   cleared (`clear`, below). Not both of FAST and LOW_POWER: that, and any other N,
//   ends elaboration with an error.
//
// One clock domain: all ports are of `clk`, and nothing here crosses to another clock.
// `reset_n` is sampled by `clk` and not synchronised here.
//
// Bits are numbered as bytes are sent: bit 0 of a word is the first, which is the
// least significant bit of the first byte.
//
// Ports
//   reset_n       Low at a rising edge: as `clear`. No flip-flop has a reset of its own.
//   start         Begins a message when `ready` is high.
//   opening       What follows is opened, not sealed. Stays until `done`.
//   clear         Ends whatever runs and overwrites all registers with zeros, which
//                 takes 128/N clocks; `ready` comes behind them. Isolated: the
//                 authenticator's register, which no port shows, takes its last zeros
//                 in the first clock of `ready`; the accumulator (`tag`) is zero then.
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
//                 some of it, in the places that out_keep says. Valid only with
//                 out_valid, in the clock that takes the input. When opening this is
//                 UNVERIFIED until `verified`. AUTHENTICATE = 0: the keystream.
//   tag           The tag while `tag_valid`; otherwise internal state that must
//                 not leave the chip.
//   done          One clock: the message has ended.
//   verified      One clock, with `done`: the received tag was the right one.
//
//                 _   _   _   _   _   _       _   _   _   _       _   _   _   _
//   clk         _| |_| |_| |_| |_| |_| |_.._| |_| |_| |_| |_.._| |_| |_| |_| |_
//   ready       _____                                                     _____
//                    |___________________..__________________..__________|
//                  ___
//   start       __|   |__________________..__________________..________________
//                      __________________
//   take        ______|   key, nonce     |..__________________..________________
//                                             ________________
//   in_ready    _________________________.. _|   words        |.._______________
//   in_last     _________________________.._______________| 1 |.._______________
//                                                                   ___
//   tag_valid   _________________________..__________________..____|   |_________
//
// Clocks
//   N                                    1    2    4    8   16   32   64
//   clear to ready, 128/N              128   64   32   16    8    4    2
//   start to first word               641  385  193   97   49   25   13
//     1 + 512/N + 128/W
//   start to keystream                641  321  161   81   41   21   11
//     (AUTHENTICATE = 0), 1 + 640/N
//   a byte of data                     16    8    4    2    1  1/2  1/4
//   last word to tag_valid              3    2    2    2    2  1-2  1-2  *
//   last word of a received tag to done 2    2    2    2    2    2    2  *
//   * One more if isolated. 1 if there is room in the last word for the bit behind the
//   message. None depends on key, nonce or data, and tags are compared whole.

`timescale 1ns / 1ps
`default_nettype none

module samara_grain128 #(
    parameter N = 1,
    parameter AUTHENTICATE = 1,
    parameter FAST = 0,
    parameter LOW_POWER = 0,
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

  // --- Parameters ------------------------------------------------------------

  // There is no module of these names: a core that does not exist is not made.
  generate
    if (N != 1 && N != 2 && N != 4 && N != 8 && N != 16 && N != 32 && N != 64)
    begin : illegal_n
      N_must_be_1_2_4_8_16_32_or_64 stop ();
    end
    if (FAST != 0 && LOW_POWER != 0) begin : illegal_variant
      FAST_and_LOW_POWER_exclude_each_other stop ();
    end
  endgenerate

  // --- Control -------------------------------------------------------------

  // A state with a digit is a unit: 64 clocks of the cipher, 64/N of `clk`. Numbers
  // are such that few bits tell what happens.
  localparam [4:0]
      CLEAR_0   = 5'd0,   // zeros into all registers
      CLEAR_1   = 5'd1,
      LOAD_0    = 5'd2,   // key and nonce
      LOAD_1    = 5'd3,
      MIX_0     = 5'd8,   // pre-output fed back
      MIX_1     = 5'd9,
      MIX_2     = 5'd10,
      MIX_3     = 5'd11,
      MIX_4     = 5'd12,
      KEY_0     = 5'd13,  // and the key added
      FILL_A_0  = 5'd4,   // accumulator: 64 bits in words of W
      FILL_A_1  = 5'd5,
      FILL_R_0  = 5'd6,   // register: as many
      FILL_R_1  = 5'd7,
      IDLE      = 5'd16,
      RUN       = 5'd20,
      PAD       = 5'd21,  // the bit behind the message
      RECEIVE_0 = 5'd18,  // opening: the received tag into the register
      RECEIVE_1 = 5'd19,
      ADD       = 5'd22,  // and into the accumulator, which is then zero
      SETTLE    = 5'd23,  // isolated: the authenticator is one clock behind
      END       = 5'd17;  // the tag is there, or compared

  // Whether 64 bits in words of W take one unit, not two. The keystream passes over
  // as many.
  localparam ONE_UNIT = N == 1 || AUTHENTICATE == 0;

  reg [4:0] state;
  reg odd;  // second half of a word's work: see "Words" below

  wire in_beat;  // a word is taken
  wire last_is_full;  // no room in the last word for the bit behind the message

  wire clears = state == CLEAR_0 || state == CLEAR_1;
  wire loads = state == LOAD_0 || state == LOAD_1;
  wire mixes = state == MIX_0 || state == MIX_1 || state == MIX_2
      || state == MIX_3 || state == MIX_4 || state == KEY_0;
  wire adds_key = state == KEY_0;
  wire fills = state == FILL_A_0 || state == FILL_A_1
      || state == FILL_R_0 || state == FILL_R_1;
  wire receives = state == RECEIVE_0 || state == RECEIVE_1;

  wire restarts = !reset_n || clear;
  wire unit_begins;
  wire unit_is_last;

  samara_grain128_counter #(.BITS($clog2(64 / N))) counter (
      .clk(clk),
      .restarts(restarts),
      .counts(clears || loads || mixes || fills || (receives && in_beat)),
      .is_first(unit_begins),
      .is_last(unit_is_last)
  );

  wire unit_ends = unit_is_last && (!receives || in_beat);
  localparam ISOLATED = FAST != 0 || (LOW_POWER != 0 && N >= 16);
  wire half_ends = N != 1 || !odd;  // N = 1: a word takes two clocks in RUN, PAD

  // What follows the message, and what follows when the tag is in the accumulator.
  localparam [4:0] BEHIND_TAG = ISOLATED ? SETTLE : END;
  wire [4:0] behind = opening ? RECEIVE_0 : BEHIND_TAG;

  always @(posedge clk) begin
    case (state)
      CLEAR_0:   if (unit_ends) state <= CLEAR_1;
      CLEAR_1:   if (unit_ends) state <= IDLE;
      IDLE:      if (start) state <= LOAD_0;
      LOAD_0:    if (unit_ends) state <= LOAD_1;
      LOAD_1:    if (unit_ends) state <= MIX_0;
      MIX_0:     if (unit_ends) state <= MIX_1;
      MIX_1:     if (unit_ends) state <= MIX_2;
      MIX_2:     if (unit_ends) state <= MIX_3;
      MIX_3:     if (unit_ends) state <= MIX_4;
      MIX_4:     if (unit_ends) state <= KEY_0;
      KEY_0:     if (unit_ends) state <= FILL_A_0;
      FILL_A_0:  if (unit_ends) state <= ONE_UNIT ? FILL_R_0 : FILL_A_1;
      FILL_A_1:  if (unit_ends) state <= FILL_R_0;
      FILL_R_0:  if (unit_ends) state <= ONE_UNIT ? RUN : FILL_R_1;
      FILL_R_1:  if (unit_ends) state <= RUN;
      RUN:       if (in_beat && in_last) state <= last_is_full ? PAD : behind;
      PAD:       if (half_ends) state <= behind;
      RECEIVE_0: if (unit_ends) state <= ONE_UNIT ? ADD : RECEIVE_1;
      RECEIVE_1: if (unit_ends) state <= ADD;
      ADD:       state <= BEHIND_TAG;
      SETTLE:    state <= END;
      END:       if (opening || tag_ready) state <= IDLE;
      default:   state <= IDLE;
    endcase
    if (restarts) state <= CLEAR_0;
  end

  // N = 1: the clock behind a word's. Otherwise: the second half of N bits.
  always @(posedge clk) begin
    if (restarts) odd <= 1'b0;
    else odd <= N == 1 ? in_beat && state == RUN : fills && !odd;
  end

  assign ready = state == IDLE;
  assign take = loads || adds_key;

  // --- Generator -----------------------------------------------------------

  wire [N-1:0] y;
  wire advances;

  samara_grain128_generator #(.N(N), .LOOK_AHEAD(FAST)) generator (
      .clk(clk),
      .advances(advances),
      .clears(clears),
      .loads(loads),
      .mixes(mixes),
      .adds_key(adds_key),
      .key_low(key_low),
      .key_high(key_high),
      .nonce(nonce),
      .pre_output(y)
  );

  wire out_beat = out_valid && out_ready;
  wire runs_on = AUTHENTICATE == 0 ? out_beat : in_beat && state == RUN;
  assign advances = clears || loads || mixes
      || (fills && (ONE_UNIT || odd)) || runs_on || (N == 1 && odd);

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
      // For lint: what only the authenticator needs.
      wire unused = &{in_valid, in_data, in_message, in_keep, tag_ready, unit_begins};

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
        // A function, since simulators are slow with a wire for each bit.
        function [W-1:0] every_second(input [N-1:0] bits_of_y);
          integer place;
          for (place = 0; place < W; place = place + 1)
            every_second[place] = bits_of_y[2*place];
        endfunction
        assign even_bits = every_second(y);
        assign odd_bits = every_second({1'b0, y[N-1:1]});
      end

      wire runs = state == RUN && half_ends;
      wire has_message = |out_keep;
      assign in_ready = (runs && (!has_message || out_ready)) || receives;
      assign in_beat = in_valid && in_ready;
      assign out_valid = runs && in_valid && has_message;
      // Low power: nothing but the message toggles the output. Below N = 8 the gates
      // for this, and for `lets_in`, toggle more than they save.
      localparam GATES = LOW_POWER != 0 && N >= 8;
      assign out_data = (in_data ^ even_bits) & {W{!GATES || out_valid}};
      assign out_keep =
          in_message & (in_keep | {BYTES{!in_last || BYTES == 1}});
      assign last_is_full = BYTES == 1 || in_keep[BYTES-1];

      // --- Authenticator -------------------------------------------------------

      wire [W-1:0] decrypts;  // a bit for each of the word
      if (BYTES == 1) begin : whole_word
        assign decrypts = {W{in_message[0] && opening}};
      end else begin : each_byte
        for (k = 0; k < BYTES; k = k + 1) begin : of
          assign decrypts[8*k +: 8] = {8{in_message[k] && opening}};
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

      wire begins_r = state == FILL_R_0 && unit_begins && (N == 1 || !odd);
      wire adds_one = begins_r || (state == PAD && half_ends) || state == ADD;
      wire takes = in_beat && state == RUN;
      wire adds = takes || adds_one;
      // Low power: a word goes on only in the clock that adds it.
      wire lets_in = GATES ? takes : state == RUN;
      wire [W-1:0] one = 1;
      wire [W-1:0] bits = (kept & {W{lets_in}}) | (one & {W{adds_one}});

      wire [W-1:0] filled = N == 1 || odd ? y[N-1 -: W] : y[W-1:0];
      wire [W-1:0] fresh =
          (receives ? in_data : fills ? filled : odd_bits) & {W{!clears}};

      wire shifts = clears || fills
          || (N == 1 ? odd : takes) || (receives && in_beat);

      wire is_zero;
      samara_grain128_authenticator #(
          .W(W), .ISOLATED(ISOLATED), .LOW_POWER(LOW_POWER)
      ) authenticator (
          .clk(clk),
          .clears(clears || loads),
          .shifts(shifts),
          .adds(adds),
          .bits(bits),
          .fresh(fresh),
          .accumulator(tag),
          .is_zero(is_zero)
      );

      assign tag_valid = state == END && !opening;
      assign done = state == END && (opening || tag_ready);
      assign verified = state == END && opening && is_zero;

    end
  endgenerate

endmodule

`default_nettype wire
