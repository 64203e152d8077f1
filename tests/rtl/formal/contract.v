// SPDX-License-Identifier: Apache-2.0
// The core's handshakes, clock by clock, as its header promises them: a machine of
// phases and one counter, written from the header alone, that reads no key, nonce or
// data. All handshake outputs of the core must equal its own in every clock, with
// every input free. From that follow: the latencies; one output for each word with
// message, none lost; no output while the core starts; time that depends on lengths
// only; and, with the watchdog below, that the core always comes back.
//
// Assumed of the environment: `opening` stays from `start` to the end of the message.

`default_nettype none

module contract #(
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
  wire take;
  wire in_ready;
  wire out_valid;
  wire [BYTES-1:0] out_keep;
  wire tag_valid;
  wire done;
  wire verified;

  samara_grain128 #(
      .N(N), .AUTHENTICATE(AUTHENTICATE), .FAST(FAST), .LOW_POWER(LOW_POWER)
  ) core (
      .clk(clk), .reset_n(reset_n), .start(start), .opening(opening), .clear(clear),
      .ready(ready), .take(take), .key_low(key_low), .key_high(key_high),
      .nonce(nonce), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
      .in_message(in_message), .in_last(in_last), .in_keep(in_keep),
      .out_valid(out_valid), .out_ready(out_ready), .out_keep(out_keep),
      .tag_valid(tag_valid), .tag_ready(tag_ready), .done(done), .verified(verified)
  );

  // --- What the header promises -----------------------------------------------

  localparam LOAD = 128 / N;
  localparam MIX = 320 / N;
  localparam KEY = 64 / N;
  localparam START = LOAD + MIX + KEY + 2 * 64 / W;  // clocks between IDLE and RUN
  localparam PAD = N == 1 ? 2 : 1;
  localparam ISOLATED = FAST != 0 || (LOW_POWER != 0 && N >= 16);
  localparam ADD = 1 + ISOLATED;  // between the last word of a tag and COMPARE

  localparam [3:0]
      CLEARS = 4'd0, IDLE = 4'd1, STARTS = 4'd2, RUN = 4'd3, GAP = 4'd4, PADS = 4'd5,
      SETTLES = 4'd6, TAG = 4'd7, RECEIVES = 4'd8, ADDS = 4'd9, COMPARE = 4'd10;

  reg [3:0] phase;
  reg [9:0] left;  // clocks (RECEIVES: words) of the phase after this one

  wire in_beat = in_valid && in_ready;
  wire is_full = BYTES == 1 || in_keep[BYTES-1];

  task go(input [3:0] to, input integer clocks);
    begin
      phase <= to;
      left <= clocks - 1;
    end
  endtask

  task go_behind;
    if (opening) go(RECEIVES, 64 / W);
    else if (ISOLATED) go(SETTLES, 1);
    else go(TAG, 1);
  endtask

  always @(posedge clk) begin
    if (left != 0 && (phase != RECEIVES || in_beat)) left <= left - 10'd1;
    case (phase)
      CLEARS: if (left == 0) go(IDLE, 1);
      IDLE: if (start) go(STARTS, START);
      STARTS: if (left == 0) go(RUN, 1);
      RUN: if (in_beat) begin
        if (in_last && is_full) go(PADS, PAD);
        else if (in_last) go_behind;
        else if (N == 1) go(GAP, 1);
      end
      GAP: go(RUN, 1);
      PADS: if (left == 0) go_behind;
      SETTLES: go(TAG, 1);
      TAG: if (tag_ready) go(IDLE, 1);
      RECEIVES: if (in_beat && left == 0) go(ADDS, ADD);
      ADDS: if (left == 0) go(COMPARE, 1);
      default: go(IDLE, 1);
    endcase
    if (!reset_n || clear) go(CLEARS, 128 / N);
  end

  // From the last clock of a message the next may have another direction.
  reg was_reset = 1'b0;
  reg past_opening;
  reg past_is_busy;
  always @(posedge clk) begin
    was_reset <= was_reset || !reset_n;
    past_opening <= opening;
    past_is_busy <= !ready || start;
  end

  wire has_message = |(in_message & (in_keep | {BYTES{!in_last || BYTES == 1}}));
  wire starts_to_load = phase == STARTS
      && (left >= START - LOAD
          || (left >= START - LOAD - MIX - KEY && left < START - LOAD - MIX));

  always @(posedge clk) begin
    if (!was_reset) assume (!reset_n);
    else begin
      if (past_is_busy && !ready) assume (opening == past_opening);
      assert (ready == (phase == IDLE));
      assert (take == starts_to_load);
      if (AUTHENTICATE == 0) begin
        assert (out_valid == (phase == RUN));
        assert (!in_ready && !tag_valid && !done && !verified);
      end else begin
        assert (in_ready == ((phase == RUN && (out_ready || !has_message))
                             || phase == RECEIVES));
        assert (out_valid == (phase == RUN && in_valid && has_message));
        if (phase == RUN)
          assert ((out_valid && out_ready) == (in_beat && has_message));
        assert (tag_valid == (phase == TAG));
        assert (done == ((phase == TAG && tag_ready) || phase == COMPARE));
        assert (!verified || phase == COMPARE);
      end
    end
  end

  // --- It always comes back -----------------------------------------------------
  // Clocks until `ready` if from now on nothing outside delays it: words are there
  // (each may be the last), outputs are taken. In each such clock they become fewer,
  // from any state: so there is no dead end, and no circle.

  localparam FINISH = 64 / W + ADD + 2;  // from RECEIVES at the latest
  localparam LONGEST = 1 + START + PAD + FINISH;
  reg [10:0] distance;
  always @* begin
    case (phase)
      CLEARS: distance = left + 1;
      IDLE: distance = 0;
      STARTS: distance = left + 2 + PAD + FINISH;
      GAP: distance = 2 + PAD + FINISH;
      RUN: distance = 1 + PAD + FINISH;
      PADS: distance = left + 1 + FINISH;
      RECEIVES: distance = left + 1 + ADD + 1;
      ADDS: distance = left + 1 + 1;
      SETTLES: distance = 2;
      default: distance = 1;  // COMPARE, TAG
    endcase
  end

  wire cooperates = in_valid && in_last && out_ready && tag_ready && reset_n && !clear;
  reg past_cooperates;
  reg [10:0] past_distance;
  always @(posedge clk) begin
    past_cooperates <= was_reset && cooperates;
    past_distance <= distance;
    if (was_reset && AUTHENTICATE != 0) begin
      assert ((distance == 0) == ready);
      assert (distance <= LONGEST || phase == CLEARS);
      if (past_cooperates && past_distance != 0) assert (distance < past_distance);
    end
  end

  // What authenticator.v assumes of the core.
  (* hierconn *) wire \core.aead.adds ;
  (* hierconn *) wire \core.aead.shifts ;
  (* hierconn *) wire [W-1:0] \core.aead.bits ;
  always @(posedge clk) begin
    if (was_reset && AUTHENTICATE != 0 && N != 1)
      assert (!\core.aead.adds || \core.aead.shifts || \core.aead.bits == 1);
  end

  // --- A lemma ------------------------------------------------------------------
  // The core's counter beside ours. It is proven with the rest, and shortens it.

  localparam UNIT = 64 / N;
  (* hierconn *) wire [6:0] \core.counter.value ;
  wire [6:0] value = \core.counter.value ;
  wire counts = phase == CLEARS || phase == STARTS || phase == RECEIVES;
  always @(posedge clk) begin
    if (was_reset) assert (value == (counts ? UNIT - 1 - left % UNIT : 0));
  end

  // --- None of that holds for want of a case --------------------------------------

`ifdef COVERS
  // The short way there: a message of one word, and nothing outside waits.
  assign reset_n = was_reset;
  assign clear = 1'b0;
  assign start = 1'b1;
  assign in_valid = 1'b1;
  assign in_last = 1'b1;
  assign in_message = {BYTES{1'b0}};
  assign in_keep = {BYTES{1'b1}};
  assign out_ready = 1'b1;
  assign tag_ready = 1'b1;
`endif

  always @(posedge clk) begin
    if (was_reset) begin
      cover (phase == RUN);
      if (AUTHENTICATE != 0) begin
        cover (phase == TAG && !opening);
        cover (phase == COMPARE && opening);
      end
    end
  end

endmodule

`default_nettype wire
