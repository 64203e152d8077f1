// SPDX-License-Identifier: Apache-2.0
// The stream that leaves the AXI wrapper, for all words that a core may hand over. A beat
// that is offered stays as it is until it is taken, also across `ends` (a clear). The
// bytes are those of the words, in their order, none twice and none lost: any one of
// them is watched. Beats are full but for the last of a packet, and tlast is where the
// message ends. Behind `ends` comes what was offered then, and a beat without bytes if
// that leaves a packet open: nothing else.

`default_nettype none

module beats #(
    parameter W = 8,
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input wire             clk,
    input wire             reset_n,
    input wire             begins,
    input wire             ends,
    input wire             word_valid,
    input wire [W-1:0]     word_data,
    input wire [BYTES-1:0] word_keep,
    input wire             word_last,
    input wire             m_axis_tready
);

  wire word_ready;
  wire m_axis_tvalid;
  wire [8*BYTES-1:0] m_axis_tdata;
  wire [BYTES-1:0] m_axis_tkeep;
  wire m_axis_tlast;
  wire is_empty;

  samara_grain128_beats #(.W(W)) dut (
      .clk(clk), .reset_n(reset_n), .begins(begins), .ends(ends),
      .word_valid(word_valid), .word_ready(word_ready), .word_data(word_data),
      .word_keep(word_keep), .word_last(word_last),
      .tvalid(m_axis_tvalid), .tready(m_axis_tready), .tdata(m_axis_tdata),
      .tkeep(m_axis_tkeep), .tlast(m_axis_tlast), .is_empty(is_empty)
  );

  wire clears = ends;
  wire word = word_valid && word_ready;
  wire beat = m_axis_tvalid && m_axis_tready;

  // What a core does: words of one message between `begins` and the last one or `ends`.
  // Bytes of a word have no gap; only the first may lack its low ones, only the last its
  // high ones.
  reg is_on;
  reg is_first;
  wire [BYTES-1:0] gaps = ~word_keep;
  wire from_zero = (word_keep & (word_keep + 1'b1)) == 0;
  wire to_top = (gaps & (gaps + 1'b1)) == 0;
  wire [BYTES-1:0] filled = word_keep | (word_keep - 1'b1);
  wire one_run = (filled & (filled + 1'b1)) == 0;
  always @* begin
    if (word_valid) begin
      assume (is_on && word_keep != 0 && one_run);
      if (!is_first) assume (from_zero);
      if (!word_last) assume (to_top);
      if (!begins_last) assume (!word_last);
    end
    if (begins) assume (is_empty && !ends && !is_on);
  end
  // The last word ends with its last part.
  wire begins_last = count == PARTS - 1;

  // Parts of a byte (N < 16) until it is whole.
  localparam PARTS = W < 8 ? 8 / W : 1;
  reg [3:0] count;
  reg [8*BYTES-1:0] made;
  reg [8*BYTES-1:0] made_next;
  wire is_made = word && count == PARTS - 1;
  always @* begin
    made_next = made;
    made_next[W*count +: W] = word_data;
  end

  // Bytes of the message by their numbers, modulo 16: fewer are on their way. One of
  // them, of any number, is watched.
  (* anyconst *) reg [3:0] number;
  reg [3:0] handed;
  reg [3:0] left;
  reg [7:0] watched;
  reg [3:0] handed_next;
  reg [7:0] watched_next;
  reg [3:0] size;  // of the beat
  integer k;
  always @* begin
    handed_next = handed;
    watched_next = watched;
    size = 4'd0;
    for (k = 0; k < BYTES; k = k + 1) begin
      if (is_made && word_keep[k]) begin
        if (handed_next == number) watched_next = made_next[8*k +: 8];
        handed_next = handed_next + 1'b1;
      end
      size = size + {3'd0, m_axis_tkeep[k]};
    end
  end
  wire [3:0] waiting = handed - left;

  reg is_whole;  // the last word of the message was handed over
  reg is_cut;  // a clear came, and no message since
  reg stays;  // the beat that was offered then
  reg is_open;  // the last beat that was offered was not the last of its packet
  wire is_open_now = m_axis_tvalid ? !m_axis_tlast : is_open;

  reg was_offered;
  reg [9*BYTES:0] offered_before;
  wire [9*BYTES:0] offered = {m_axis_tlast, m_axis_tkeep, m_axis_tdata};
  reg was_due;  // the beat that closes a packet

  reg was_reset = 1'b0;
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (!reset_n);
    if (word) begin
      made <= made_next;
      count <= is_made ? 4'd0 : count + 1'b1;
    end
    handed <= handed_next;
    watched <= watched_next;
    if (beat) left <= left + size;
    if (is_made && word_last) is_whole <= 1'b1;
    if (word) is_first <= 1'b0;
    if (is_made && word_last) is_on <= 1'b0;
    is_open <= is_open_now;
    stays <= stays && !beat;
    was_due <= is_cut && !stays && is_open && !m_axis_tvalid;
    if (begins) begin
      {count, handed, left} <= 12'd0;
      {is_whole, is_cut} <= 2'd0;
      {is_on, is_first} <= 2'd3;
    end
    if (clears) begin
      is_cut <= 1'b1;
      is_on <= 1'b0;
      stays <= m_axis_tvalid && !m_axis_tready && (!is_cut || stays);
    end
    was_offered <= m_axis_tvalid && !m_axis_tready && reset_n;
    offered_before <= offered;
    if (!reset_n) begin
      {count, handed, left} <= 12'd0;
      {is_whole, is_cut, stays, is_open, was_due, is_on} <= 6'd0;
    end

    if (was_reset) begin
      if (was_offered) assert (m_axis_tvalid && offered == offered_before);
      // From the lowest byte on.
      assert ((m_axis_tkeep & (m_axis_tkeep + 1'b1)) == 0);
      if (m_axis_tvalid && !is_cut) begin
        assert (size != 4'd0 && size <= waiting);
        for (k = 0; k < BYTES; k = k + 1)
          if (m_axis_tkeep[k] && left + k[3:0] == number)
            assert (m_axis_tdata[8*k +: 8] == watched);
        assert (m_axis_tlast || size == BYTES);
        assert (m_axis_tlast == (is_whole && size == waiting));
      end
      if (!is_cut) assert (waiting <= 2 * BYTES);
      if (is_empty) assert (!m_axis_tvalid && (is_cut ? !is_open : is_on || waiting == 0));
      if (is_cut && m_axis_tvalid && !stays)
        assert (m_axis_tlast && size == 4'd0 && m_axis_tdata == 0);
      // It comes a clock later at the latest, and once.
      if (was_due) assert (m_axis_tvalid);
      if (is_cut && !stays && !is_open) assert (!m_axis_tvalid || was_offered || was_due);
      cover (beat && word);
      cover (beat && m_axis_tlast);
    end
  end

endmodule

`default_nettype wire
