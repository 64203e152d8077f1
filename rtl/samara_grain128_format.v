// SPDX-License-Identifier: Apache-2.0
// Puts a message into the words that the core authenticates: the length of the
// associated data in DER, the associated data, the message (specification, section
// 2.3). Behind it, when opening, the received tag.
//
// Bytes come in beats of BYTES, the first in bits 7 to 0: the associated data and
// directly behind it the message, without a gap; only the last beat may hold less.
// The length moves them by 1, 2 or 3 bytes, so a beat of 2 or 4 bytes is split over
// two words. Words of less than 8 bits: the low bits of a byte are first.
//
// Ports
//   begins        The lengths are there, and the words of this message begin.
//   ad_size       Bytes of associated data, up to 65535.
//   message_size  Bytes of the message.
//   beat_*        The bytes; beat_last: the beat that is taken next is the message's
//                 last.
//   word_*        To the core.
//   ended         All of it has gone to the core.

`default_nettype none

module samara_grain128_format #(
    parameter W = 8,
    parameter SIZE_BITS = 32,  // of message_size, at least 16
    // Not to be set.
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input  wire               clk,
    input  wire               restarts,

    input  wire               begins,
    input  wire [15:0]        ad_size,
    input  wire [SIZE_BITS-1:0] message_size,

    input  wire               beat_valid,
    output wire               beat_ready,
    input  wire [8*BYTES-1:0] beat_data,
    output wire               beat_last,

    output wire               word_valid,
    input  wire               word_ready,
    output wire [W-1:0]       word_data,
    output wire [BYTES-1:0]   word_message,
    output wire               word_last,
    output wire [BYTES-1:0]   word_keep,
    output wire               ended
);

  // --- The length in DER: at most 3 bytes ------------------------------------

  wire is_short = ad_size < 16'h80;
  wire is_middle = ad_size < 16'h100;
  wire [31:0] head = is_short ? {24'd0, ad_size[7:0]}
      : is_middle ? {16'd0, ad_size[7:0], 8'h81}
      : {8'd0, ad_size[7:0], ad_size[15:8], 8'h82};
  wire [1:0] head_size = is_short ? 2'd1 : is_middle ? 2'd2 : 2'd3;

  // --- Where we are ------------------------------------------------------------

  // Bytes from the begin of the words; the message begins at `boundary`.
  reg is_running;
  localparam P = SIZE_BITS + 2;
  localparam [P-1:0] BEAT = {{P-3{1'b0}}, BYTES[2:0]};
  reg [P-1:0] place;
  wire [P-1:0] boundary = {{P-16{1'b0}}, ad_size} + {{P-2{1'b0}}, head_size};
  wire [P-1:0] total = boundary + {2'd0, message_size};

  wire [8*BYTES-1:0] bytes;
  wire needs_beat;
  wire word_ends;  // a word's last bits go to the core

  generate
    if (BYTES == 1) begin : single

      assign needs_beat = place >= {{P-2{1'b0}}, head_size};
      assign beat_last = place + BEAT >= total;
      assign bytes = needs_beat ? beat_data : head[{place[1:0], 3'd0} +: 8];

    end else begin : several

      // The bytes of the length that share a word with what follows, then what is
      // left of a beat.
      localparam HELD = 8 * (BYTES - 1);
      localparam LOG = BYTES == 2 ? 1 : 2;
      reg [HELD-1:0] held;
      wire [LOG-1:0] offset = head_size[LOG-1:0];
      // At the start: the length fills the first word, and its third byte waits.
      wire is_head_whole = BYTES == 2 && head_size[1];
      wire [4:0] rest = is_head_whole ? 5'd16 : 5'd0;
      // A word of the length alone: 2 or 3 bytes of it in words of 2.
      wire is_head = place == {P{1'b0}} && is_head_whole;
      // What a beat leaves suffices for the last word.
      wire from_held = place + {{P-LOG{1'b0}}, offset} >= total;
      assign needs_beat = !is_head && !from_held;
      assign beat_last = place + {{P-LOG{1'b0}}, offset} + BEAT >= total;

      wire [8*BYTES-1:0] shifted = beat_data << {offset, 3'd0};
      wire [8*BYTES-1:0] above = beat_data >> {BYTES[LOG:0] - {1'b0, offset}, 3'd0};
      wire unused = &above[8*BYTES-1:HELD];  // for lint: `offset` is not 0
      assign bytes = is_head ? head[8*BYTES-1:0]
          : (from_held ? {8*BYTES{1'b0}} : shifted) | {8'd0, held};

      always @(posedge clk) begin
        if (restarts) held <= {HELD{1'b0}};
        else if (begins) held <= head[rest +: HELD];
        else if (word_ends && needs_beat) held <= above[HELD-1:0];
      end

    end
  endgenerate

  // --- Words ------------------------------------------------------------------

  genvar k;
  generate
    for (k = 0; k < BYTES; k = k + 1) begin : lane
      localparam [P-1:0] LANE = k;
      wire [P-1:0] own = place + LANE;
      assign word_message[k] = own >= boundary;
      assign word_keep[k] = own < total;
    end
    if (W < 8) begin : serial

      localparam PARTS = 8 / W;
      reg [$clog2(PARTS)-1:0] part;
      wire is_last_part = &part;
      always @(posedge clk) begin
        if (begins || restarts) part <= 0;
        else if (word_valid && word_ready) part <= part + 1'b1;
      end
      assign word_data = bytes[W*part +: W];
      assign word_last = is_last_part && place + BEAT >= total;
      assign word_ends = word_valid && word_ready && is_last_part;

    end else begin : parallel

      assign word_data = bytes;
      assign word_last = place + BEAT >= total;
      assign word_ends = word_valid && word_ready;

    end
  endgenerate

  assign word_valid = is_running && (!needs_beat || beat_valid);
  assign beat_ready = needs_beat && word_ends;
  assign ended = !is_running;

  always @(posedge clk) begin
    if (restarts) is_running <= 1'b0;
    else if (begins) is_running <= 1'b1;
    else if (word_ends && place + BEAT >= total) is_running <= 1'b0;
    if (begins || restarts) place <= {P{1'b0}};
    else if (word_ends) place <= place + BEAT;
  end

endmodule

`default_nettype wire
