// SPDX-License-Identifier: Apache-2.0
// Puts the words of a message into beats of an AXI4-Stream: one packet a message, each
// beat full but for the last.
//
// A beat that is offered stays as it is until it is taken, whatever comes: only reset
// takes it back. `ends` ends a packet before its time: what was not offered yet is
// overwritten with zeros, and if a part of the packet has left, a beat without bytes
// (tkeep 0) and with tlast closes it.
//
// Ports
//   begins    The words of a message follow.
//   ends      No more words follow, and those that wait here are dropped.
//   word_*    From the core. Bytes that word_keep names have no gap between them, and
//             only the first word of a message may lack its low bytes.
//   is_empty  All beats were taken.

`default_nettype none

module samara_grain128_beats #(
    parameter W = 8,
    // Not to be set.
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input  wire               clk,
    input  wire               reset_n,
    input  wire               begins,
    input  wire               ends,

    input  wire               word_valid,
    output wire               word_ready,
    input  wire [W-1:0]       word_data,
    input  wire [BYTES-1:0]   word_keep,
    input  wire               word_last,

    output wire               tvalid,
    input  wire               tready,
    output wire [8*BYTES-1:0] tdata,
    output wire [BYTES-1:0]   tkeep,
    output wire               tlast,
    output wire               is_empty
);

  reg waits;  // a beat is offered
  reg is_last;
  reg [BYTES-1:0] keep;
  reg [8*BYTES-1:0] data;
  reg is_open;  // beats of a packet were offered, but not its last
  reg closes;  // a beat without bytes is to end it

  assign tvalid = waits;
  assign tdata = data;
  assign tkeep = keep;
  assign tlast = is_last;

  // --- The beat that words make ------------------------------------------------

  wire leaves = !waits || tready;
  wire drops = !reset_n || begins || ends;
  wire takes = word_valid && word_ready;
  wire makes;
  wire made_last;
  wire [BYTES-1:0] made_keep;
  wire [8*BYTES-1:0] made;
  wire rest_waits;

  generate
    if (W < 8) begin : serial

      // Parts come in from above; the last one makes the beat whole.
      localparam PARTS = 8 / W;
      reg [$clog2(PARTS)-1:0] part;
      reg [7:W] parts;
      wire is_last_part = &part;
      assign word_ready = !is_last_part || leaves;
      assign makes = takes && is_last_part;
      assign made = {word_data, parts};
      assign made_keep = 1'b1;
      assign made_last = word_last;
      assign rest_waits = 1'b0;
      wire unused = &word_keep;  // for lint: there is one byte only
      always @(posedge clk) begin
        if (drops) begin
          part <= {$clog2(PARTS){1'b0}};
          parts <= {8-W{1'b0}};
        end else if (takes) begin
          part <= part + 1'b1;
          parts <= made[7:W];
        end
      end

    end else if (BYTES == 1) begin : whole

      assign word_ready = leaves;
      assign makes = takes;
      assign made = word_data;
      assign made_keep = 1'b1;
      assign made_last = word_last;
      assign rest_waits = 1'b0;
      wire unused = &{word_keep, drops};  // for lint: nothing is kept from word to word

    end else begin : several

      // Bytes that do not fill a beat yet, or that the last word has left.
      localparam LOG = BYTES == 2 ? 1 : 2;
      localparam HELD = 8 * (BYTES - 1);
      reg [HELD-1:0] held;
      reg [LOG-1:0] count;
      reg is_rest;
      assign rest_waits = is_rest;
      assign word_ready = leaves && !is_rest;

      reg [8*BYTES-1:0] kept;
      reg [LOG-1:0] first;  // the lowest byte that is there
      reg [LOG:0] size;
      integer k;
      always @* begin
        first = {LOG{1'b0}};
        size = {LOG+1{1'b0}};
        for (k = BYTES - 1; k >= 0; k = k - 1) begin
          kept[8*k +: 8] = word_data[8*k +: 8] & {8{word_keep[k]}};
          if (word_keep[k]) first = k[LOG-1:0];
          size = size + {{LOG{1'b0}}, word_keep[k]};
        end
      end

      wire [8*BYTES-1:0] lowered = kept >> {first, 3'd0};
      wire [HELD+8*BYTES-1:0] joined =
          ({{HELD{1'b0}}, lowered} << {count, 3'd0}) | {{8*BYTES{1'b0}}, held};
      wire [LOG+1:0] total = {2'd0, count} + {1'b0, size};
      wire is_whole = total >= BYTES[LOG+1:0];
      wire is_more = total > BYTES[LOG+1:0];
      wire [LOG+1:0] there = is_rest ? {2'd0, count} : total;

      assign makes = is_rest || (takes && (is_whole || word_last));
      assign made = is_rest ? {8'd0, held} : joined[8*BYTES-1:0];
      assign made_last = is_rest || (word_last && !is_more);
      genvar lane;
      for (lane = 0; lane < BYTES; lane = lane + 1) begin : of
        localparam [LOG+1:0] LANE = lane;
        assign made_keep[lane] = LANE < there;
      end

      always @(posedge clk) begin
        if (drops) begin
          held <= {HELD{1'b0}};
          count <= {LOG{1'b0}};
          is_rest <= 1'b0;
        end else if (takes) begin
          held <= is_whole ? joined[8*BYTES +: HELD] : joined[HELD-1:0];
          count <= total[LOG-1:0];
          is_rest <= word_last && is_more;
        end else if (is_rest && leaves) begin
          held <= {HELD{1'b0}};
          count <= {LOG{1'b0}};
          is_rest <= 1'b0;
        end
      end

    end
  endgenerate

  // --- The beat that is offered -------------------------------------------------

  wire offers = makes && leaves && !ends;
  wire offers_end = closes && leaves;
  assign is_empty = !waits && !closes && !rest_waits;

  always @(posedge clk) begin
    if (!reset_n) begin
      waits <= 1'b0;
      is_last <= 1'b0;
      keep <= {BYTES{1'b0}};
      data <= {8*BYTES{1'b0}};
      is_open <= 1'b0;
      closes <= 1'b0;
    end else begin
      if (leaves) begin
        waits <= offers || offers_end;
        is_last <= offers_end || (offers && made_last);
        keep <= made_keep & {BYTES{offers}};
        data <= made & {8*BYTES{offers}};
      end
      if (offers_end) is_open <= 1'b0;
      else if (offers) is_open <= !made_last;
      closes <= (ends ? is_open : closes) && !offers_end;
    end
  end

endmodule

`default_nettype wire
