// SPDX-License-Identifier: Apache-2.0
// One core, and what gives it message after message without a program that acts in
// every clock: a test writes a job with all its words, and reads a report at its end.
//
// The station offers words and takes them with random stalls. Whatever the core must
// not look at changes at random: data without `in_valid`, key and nonce without `take`,
// bytes that `in_keep` leaves out, the marks of a received tag. It also notes what was
// seen of the core (the section Coverage).
//
// There are two places for jobs, so that the next one waits, with `start` high, while
// one runs. Job number k is written to place k mod 2, with its bytes in the stream's
// words 8 * (k mod 2) and following; then `queued` counts it. When `ended` counts it,
// its report and its output are in the same places.

`timescale 1ns / 1ps
`default_nettype none

module station #(
    parameter N = 1,
    parameter AUTHENTICATE = 1,
    parameter FAST = 0,
    parameter LOW_POWER = 0
) (
    input wire clk,
    input wire reset_n
);

  localparam W = AUTHENTICATE == 0 ? N : N == 1 ? 1 : N / 2;
  localparam BYTES = W < 8 ? 1 : W / 8;
  localparam LANE = W < 8 ? W : 8;  // bits of a word that belong together

  // --- Jobs ----------------------------------------------------------------

  reg [511:0] job[0:1] /* verilator public_flat_rw */;
  reg [1023:0] stream[0:15] /* verilator public_flat_rw */;
  reg [1023:0] result[0:15] /* verilator public_flat_rw */;
  reg [255:0] report[0:1] /* verilator public_flat_rw */;
  reg [7:0] queued /* verilator public_flat_rw */;
  reg [7:0] issued;
  reg [7:0] ended /* verilator public_flat_rw */;

  reg runs;  // a message is in the core
  reg place;  // its place
  wire ahead = issued[0];  // the place of the next
  wire waits = issued != queued;

  wire [511:0] now = job[place];
  wire [511:0] next = job[ahead];
  // Fields: tests/rtl/stations.py has the same places.
  wire [127:0] now_key = now[127:0];
  wire [95:0] now_nonce = now[223:128];
  wire [63:0] now_tag = now[287:224];
  wire [15:0] now_total = now[303:288];  // bytes
  wire [15:0] now_boundary = now[319:304];  // the message's first byte
  wire [7:0] now_in_rate = now[359:352];  // stalls in 256 clocks
  wire [7:0] now_out_rate = now[367:360];
  wire now_retracts = now[368];  // in_valid may fall without a handshake
  wire now_opens = now[369];
  wire [31:0] next_seed = next[351:320];
  wire [7:0] next_pause = next[377:370];  // clocks without `start`
  wire [511:0] aborted = runs ? now : next;
  wire aborts = aborted[378];
  wire by_reset = aborted[379];
  wire [4:0] abort_state = aborted[384:380];
  wire [15:0] abort_after = aborted[400:385];  // clocks in that state

  initial begin
    queued = 0;
    issued = 0;
    ended = 0;
    runs = 0;
    place = 0;
  end

  // --- Random bits ---------------------------------------------------------

  function [31:0] stepped(input [31:0] x);  // Marsaglia's xorshift
    reg [31:0] y;
    begin
      y = x ^ (x << 13);
      y = y ^ (y >> 17);
      stepped = y ^ (y << 5);
    end
  endfunction

  reg [31:0] stalls;  // begins anew with each message
  reg [31:0] noise;  // never does
  initial begin
    stalls = 1;
    noise = 32'h2545f491;
  end
  wire [127:0] much = {noise, ~noise, noise[15:0], noise[31:16], noise ^ {noise, 7'd5}};

  // --- The core --------------------------------------------------------------

  wire ready;
  wire take;
  wire in_ready;
  wire out_valid;
  wire [W-1:0] out_data;
  wire [BYTES-1:0] out_keep;
  wire tag_valid;
  wire [63:0] tag;
  wire done;
  wire verified;

  reg [127:0] key;
  reg [127:0] nonce;
  reg opening;
  reg offers;
  reg [15:0] at;  // bits taken of the stream
  reg [6:0] tag_at;
  reg out_ready;
  reg tag_ready;
  reg [7:0] since;  // clocks since the end of a message
  reg [15:0] out_at;  // bits of the result

  wire [15:0] bits = {now_total[12:0], 3'd0};
  wire in_tag = at >= bits;
  wire has_word = runs && AUTHENTICATE != 0 && (!in_tag || (now_opens && !tag_at[6]));
  wire in_valid = has_word && offers;
  wire [1023:0] chunk = stream[{place, at[12:10]}];
  wire [W-1:0] word = in_tag ? now_tag[tag_at[5:0] +: W] : chunk[at[9:0] +: W];
  wire is_last = !in_tag && at + W >= bits;
  wire [BYTES-1:0] there;
  wire [BYTES-1:0] of_message;
  wire [W-1:0] in_data;

  genvar k;
  generate
    for (k = 0; k < BYTES; k = k + 1) begin : lane
      wire [15:0] own = (at >> 3) + k;
      assign there[k] = in_tag || own < now_total;
      assign of_message[k] = own >= now_boundary;
      assign in_data[LANE*k +: LANE] =
          in_valid && there[k] ? word[LANE*k +: LANE] : much[LANE*k +: LANE];
    end
  endgenerate
  wire looks = in_valid && !in_tag;
  wire [BYTES-1:0] in_message =
      (of_message & there & {BYTES{looks}}) | (much[59 +: BYTES] & ~(there & {BYTES{looks}}));
  wire [BYTES-1:0] in_keep = looks && is_last ? there : much[40 +: BYTES];
  wire in_last = looks ? is_last : much[21];

  // A keystream has no end of its own.
  wire enough = AUTHENTICATE == 0 && runs && out_at >= bits;
  wire start = waits && since >= next_pause && (!runs || noise[3] || next_pause == 0);
  wire [4:0] state = core.state;
  reg [15:0] stays;
  reg [4:0] state_before;
  wire [15:0] clocks_here = state == state_before ? stays : 16'd0;
  wire strikes = (runs || waits) && aborts && state == abort_state
      && clocks_here == abort_after && reset_n;
  wire clear = strikes && !by_reset;
  wire core_reset_n = reset_n && !(strikes && by_reset);

  samara_grain128 #(
      .N(N),
      .AUTHENTICATE(AUTHENTICATE),
      .FAST(FAST),
      .LOW_POWER(LOW_POWER)
  ) core (
      .clk(clk),
      .reset_n(core_reset_n),
      .start(start),
      .opening(opening),
      .clear(clear || enough),
      .ready(ready),
      .take(take),
      .key_low(take ? key[N-1:0] : much[0 +: N]),
      .key_high(take ? key[64 +: N] : much[7 +: N]),
      .nonce(take ? nonce[N-1:0] : much[13 +: N]),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_data(in_data),
      .in_message(in_message),
      .in_last(in_last),
      .in_keep(in_keep),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_data(out_data),
      .out_keep(out_keep),
      .tag_valid(tag_valid),
      .tag_ready(tag_ready),
      .tag(tag),
      .done(done),
      .verified(verified)
  );

  // --- What is done with it --------------------------------------------------

  wire begins = start && ready && !strikes && !enough && reset_n && !runs;
  wire in_beat = in_valid && in_ready;
  wire out_beat = out_valid && out_ready && runs;
  wire ends = (runs && (done || enough)) || strikes || hangs;

  reg [31:0] clocks;  // from `start` on, this clock included
  reg [31:0] latency;  // the clocks before the first word, or the first keystream
  reg [31:0] waited;  // before `start`
  reg [63:0] times;  // signature of all handshakes' times
  reg [7:0] faults;
  reg is_first;
  reg [63:0] tag_before;
  reg tag_waited;

  // Twice the longest message at the highest rates of stalls, and many times what a
  // clear takes: what lasts longer has hung.
  wire hangs = (runs && clocks[17]) || (waits && !runs && waited[11]);

  // in_ready alone may follow in_message, which is noise when there is no word.
  wire [6:0] handshakes =
      {take, in_beat, out_valid, out_beat, tag_valid, done, ready};
  wire [7:0] faults_now = {
      hangs,
      done && !runs,
      verified && !done,
      verified && !opening,
      tag_valid && opening,
      tag_waited && (!tag_valid || tag != tag_before),
      out_valid && (!runs || (AUTHENTICATE != 0 && !in_valid)),
      ready && runs
  };

  integer i;
  always @(posedge clk) begin
    noise <= stepped(noise);
    stalls <= begins ? next_seed : stepped(stalls);
    offers <= (offers && !in_ready && has_word && !now_retracts)
        || stalls[7:0] >= now_in_rate;
    out_ready <= stalls[15:8] >= now_out_rate;
    tag_ready <= stalls[23:16] >= now_out_rate;
    stays <= strikes ? 16'd0 : clocks_here + 1'b1;
    state_before <= state;
    since <= ends ? 8'd0 : since + {7'd0, since != 8'hff};
    tag_waited <= tag_valid && !tag_ready && !strikes;
    tag_before <= tag;

    if (take) begin
      key <= {key[N-1:0], key[127:N]};
      nonce <= {{N{1'b0}}, nonce[127:N]};
    end
    if (in_beat && !in_tag) at <= at + W;
    if (in_beat && in_tag) tag_at <= tag_at + W;
    clocks <= clocks + 1;
    if (!runs && !begins) waited <= waited + 1;
    faults <= faults | faults_now;
    times <= ({times[62:0], 1'b0} ^ {57'd0, handshakes}) ^ (times[63] ? 64'h1b : 64'd0);
    if (is_first && (in_ready || (AUTHENTICATE == 0 && out_valid))) begin
      latency <= clocks - 1'b1;
      is_first <= 1'b0;
    end

    if (begins) begin
      place <= ahead;
      runs <= 1'b1;
      issued <= issued + 1'b1;
      opening <= next[369];
      key <= next[127:0];
      nonce <= {1'b0, 31'h7fffffff, next[223:128]};
      at <= 0;
      tag_at <= 0;
      clocks <= 2;
      latency <= 0;
      is_first <= 1'b1;
      times <= 0;
      offers <= next_seed[0];
    end
    if (ends) begin
      runs <= 1'b0;
      ended <= ended + 1'b1;
      if (!runs) issued <= issued + 1'b1;
      faults <= 0;
      waited <= 0;
    end
    if (!reset_n) begin
      {runs, since, at, tag_at, clocks, waited, faults, tag_waited, times} <= 0;
      {opening, offers, out_ready, tag_ready, is_first, latency} <= 0;
    end
  end

  // A place in a wide word, written at once: only the test reads it.
  /* verilator lint_off BLKSEQ */
  reg [15:0] out_next;
  always @(posedge clk) begin
    out_next = begins || !reset_n ? 16'd0 : out_at;
    for (i = 0; i < BYTES; i = i + 1) begin
      if (out_beat && !strikes && !enough && (out_keep[i] || W < 8)) begin
        result[{place, out_next[12:10]}][out_next[9:0] +: LANE] =
            out_data[LANE*i +: LANE];
        out_next = out_next + LANE;
      end
    end
    out_at <= out_next;
    if (ends)
      report[runs ? place : ahead] = {
        times, out_next, waited, latency, clocks, faults | faults_now,
        5'd0, verified, strikes, done, tag
      };
  end
  /* verilator lint_on BLKSEQ */

  // --- Coverage --------------------------------------------------------------
  // A bit for each thing that was seen. stations.py names them.

  reg [1023:0] follows /* verilator public_flat_rw */;  // {state, state in the next clock}
  reg [31:0] lacks /* verilator public_flat_rw */;  // states in which the core waited for a word
  reg [31:0] refused /* verilator public_flat_rw */;  // states in which a word had to wait
  reg [31:0] out_stalled /* verilator public_flat_rw */;
  reg [31:0] tag_stalled /* verilator public_flat_rw */;
  reg [31:0] cleared /* verilator public_flat_rw */;  // states in which `clear` came
  reg [31:0] was_reset /* verilator public_flat_rw */;
  reg [31:0] last_keeps /* verilator public_flat_rw */;  // {opening, in_keep} of last words
  reg [15:0] messages /* verilator public_flat_rw */;  // in_message of words before the last
  reg [31:0] out_keeps /* verilator public_flat_rw */;  // {opening, out_keep}
  reg [3:0] outcomes /* verilator public_flat_rw */;  // {opening, verified} at the end
  reg [3:0] directly /* verilator public_flat_rw */;  // {opening, opening of the next} without a clock between
  reg ended_before;
  reg opened_before;
  reg [4:0] state_last;
  initial begin
    {follows, lacks, refused, out_stalled, tag_stalled, cleared, was_reset} = 0;
    {last_keeps, messages, out_keeps, outcomes, directly} = 0;
    {ended_before, opened_before} = 0;
    state_last = 0;
  end

  wire [3:0] keep_now = {4'd0, in_keep};
  wire [3:0] message_now = {4'd0, in_message};
  wire [3:0] out_now = {4'd0, out_keep};
  always @(posedge clk) begin
    if (reset_n) begin
      state_last <= state;
      follows[{state_last, state}] <= 1'b1;
      if (in_ready && !in_valid) lacks[state] <= 1'b1;
      if (in_valid && !in_ready) refused[state] <= 1'b1;
      if (out_valid && !out_ready) out_stalled[state] <= 1'b1;
      if (tag_valid && !tag_ready) tag_stalled[state] <= 1'b1;
      if (clear) cleared[state] <= 1'b1;
      if (strikes && by_reset) was_reset[state] <= 1'b1;
      if (in_beat && looks && is_last) last_keeps[{opening, keep_now}] <= 1'b1;
      if (in_beat && looks && !is_last) messages[message_now] <= 1'b1;
      if (out_beat && AUTHENTICATE != 0) out_keeps[{opening, out_now}] <= 1'b1;
      if (runs && done) outcomes[{opening, verified}] <= 1'b1;
      if (begins && ended_before) directly[{opened_before, next[369]}] <= 1'b1;
      ended_before <= runs && done && !strikes;
      opened_before <= opening;
    end
  end

endmodule

`default_nettype wire
