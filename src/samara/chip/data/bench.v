// SPDX-License-Identifier: Apache-2.0
// Messages through a netlist, for `samara chip power`. Nothing stalls. What the core
// gives is written to answers.txt; what its pins do goes to a VCD file.
//
// Macros: N, W, BYTES and AUTHENTICATE as in the core; MESSAGES, WORDS: how many
// there are in messages.hex and words.hex; VCD: name of the file.
//
// A message: {opening, number of words (of keystream: AUTHENTICATE = 0),
// nonce with what stands behind it, key}. A word: {last, message, keep, data}.

`timescale 1ns / 1ps

module bench;

  // What the core does while activity is counted; other clocks are not.
  localparam [1:0] NOT_COUNTED = 2'd0, STARTS = 2'd1, RUNS = 2'd2;

  reg clk = 0;
  reg [1:0] phase = NOT_COUNTED;
  always #5 clk = !clk;

  reg [288:0] messages [0:`MESSAGES-1];
  reg [2*`BYTES+`W:0] words [0:`WORDS-1];

  reg reset_n = 0;
  reg start = 0;
  reg opening = 0;
  reg clear = 0;
  reg tag_ready = 0;
  reg [127:0] key = 0;
  reg [127:0] nonce = 0;
  reg [31:0] left = 0;
  reg [31:0] index = 0;

  wire ready, take, in_ready, out_valid, tag_valid, done, verified;
  wire [`W-1:0] out_data;
  wire [`BYTES-1:0] out_keep;
  wire [63:0] tag;

  wire in_valid = `AUTHENTICATE != 0 && left != 0;
  wire [2*`BYTES+`W:0] word = in_valid ? words[index] : {2*`BYTES+`W+1{1'b0}};

  samara_grain128 dut (
      .clk(clk),
      .reset_n(reset_n),
      .start(start),
      .opening(opening),
      .clear(clear),
      .ready(ready),
      .take(take),
      .key_low(key[`N-1:0]),
      .key_high(key[64 +: `N]),
      .nonce(nonce[`N-1:0]),
      .in_valid(in_valid),
      .in_ready(in_ready),
      .in_data(word[0 +: `W]),
      .in_keep(word[`W +: `BYTES]),
      .in_message(word[`W+`BYTES +: `BYTES]),
      .in_last(word[`W+2*`BYTES]),
      .out_valid(out_valid),
      .out_ready(1'b1),
      .out_data(out_data),
      .out_keep(out_keep),
      .tag_valid(tag_valid),
      .tag_ready(tag_ready),
      .tag(tag),
      .done(done),
      .verified(verified)
  );

  integer answers;
  wire moves = `AUTHENTICATE != 0 ? in_valid && in_ready : left != 0 && out_valid;

  always @(posedge clk) begin
    if (take) begin
      key <= {key[`N-1:0], key[127:`N]};
      nonce <= nonce >> `N;
    end
    if (moves) begin
      index <= index + 1;
      left <= left - 1;
    end
    if (out_valid && left != 0) $fdisplay(answers, "out %h %h", out_data, out_keep);
    if (done && opening) $fdisplay(answers, "verified %h", verified);
  end

  // All that is below changes in the middle of a clock.
  task middle;
    begin
      @(negedge clk);
      #1;
    end
  endtask

  // Changes are written only while they are counted.
  task counts(input [1:0] next);
    begin
      if (next != NOT_COUNTED) begin
        $dumpon;
        #1 phase = next;
      end else begin
        phase = next;
        #1 $dumpoff;
      end
    end
  endtask

  integer m;
  initial begin
    $readmemh("messages.hex", messages);
    if (`AUTHENTICATE != 0) $readmemh("words.hex", words);
    answers = $fopen("answers.txt", "w");
    $dumpfile(`VCD);
    $dumpvars(2, dut);
    $dumpvars(0, phase);
    #1 $dumpoff;
    repeat (3) middle;
    reset_n = 1;
    for (m = 0; m < `MESSAGES; m = m + 1) begin
      while (!ready) middle;
      {opening, left, nonce, key} = messages[m];
      start = 1;
      if (!opening) counts(STARTS);
      middle;
      start = 0;
      while (!(`AUTHENTICATE != 0 ? in_ready : out_valid)) middle;
      if (!opening) phase = RUNS;
      if (`AUTHENTICATE == 0) begin
        while (left != 0) middle;
        counts(NOT_COUNTED);
        clear = 1;
        middle;
        clear = 0;
        middle;
      end else if (opening) begin
        while (!done) middle;
        middle;
      end else begin
        while (!tag_valid) middle;
        $fdisplay(answers, "tag %h", tag);
        tag_ready = 1;
        middle;
        tag_ready = 0;
        counts(NOT_COUNTED);
      end
    end
    $fclose(answers);
    $finish(0);
  end

endmodule
