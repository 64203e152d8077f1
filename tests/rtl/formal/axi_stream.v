// SPDX-License-Identifier: Apache-2.0
// The stream that leaves the AXI wrapper: a beat that is offered stays as it is until
// it is taken, and there is one beat for each whole word (N < 16: each 8/W of them)
// that the core hands over, with its bits in their order: none twice, none lost.

`default_nettype none

module axi_stream #(
    parameter N = 8,
    parameter FAST = 0,
    parameter LOW_POWER = 0,
    parameter W = N == 1 ? 1 : N / 2,
    parameter BYTES = W < 8 ? 1 : W / 8
) (
    input wire               clk,
    input wire               reset_n,
    input wire               psel,
    input wire               penable,
    input wire               pwrite,
    input wire [6:0]         paddr,
    input wire [31:0]        pwdata,
    input wire               s_axis_tvalid,
    input wire [8*BYTES-1:0] s_axis_tdata,
    input wire               m_axis_tready
);

  wire pslverr;
  wire m_axis_tvalid;
  wire [8*BYTES-1:0] m_axis_tdata;
  wire [BYTES-1:0] m_axis_tkeep;
  wire m_axis_tlast;

  samara_grain128_axi #(.N(N), .FAST(FAST), .LOW_POWER(LOW_POWER)) axi (
      .clk(clk), .reset_n(reset_n), .psel(psel), .penable(penable), .pwrite(pwrite),
      .paddr(paddr), .pwdata(pwdata), .pslverr(pslverr),
      .s_axis_tvalid(s_axis_tvalid), .s_axis_tdata(s_axis_tdata),
      .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
      .m_axis_tdata(m_axis_tdata), .m_axis_tkeep(m_axis_tkeep),
      .m_axis_tlast(m_axis_tlast)
  );

  (* hierconn *) wire \axi.out_valid ;
  (* hierconn *) wire \axi.out_ready ;
  (* hierconn *) wire [W-1:0] \axi.out_data ;
  (* hierconn *) wire [BYTES-1:0] \axi.out_keep ;
  (* hierconn *) wire \axi.word_last ;
  (* hierconn *) wire \axi.starts ;

  wire writes_clear = psel && penable && pwrite && paddr[6:2] == 5'h01 && pwdata[2];
  wire goes_on = reset_n && !writes_clear;
  wire word = \axi.out_valid && \axi.out_ready ;
  wire beat = m_axis_tvalid && m_axis_tready;

  // What the words make: `count` parts of the next beat; `is_due` a whole one.
  localparam PARTS = W < 8 ? 8 / W : 1;
  reg [3:0] count;
  reg [8*BYTES-1:0] made;
  reg is_due;
  reg [8*BYTES-1:0] due;
  reg [BYTES-1:0] due_keep;
  reg due_last;
  reg [8*BYTES-1:0] made_next;
  integer k;
  always @* begin
    made_next = made;
    made_next[W*count +: W] = \axi.out_data ;
  end

  reg was_reset = 1'b0;
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (!reset_n);
    if (beat) is_due <= 1'b0;
    if (word) begin
      made <= made_next;
      count <= count + 1'b1;
      if (count == PARTS - 1) begin
        count <= 4'd0;
        is_due <= 1'b1;
        due <= made_next;
        due_keep <= \axi.out_keep ;
        due_last <= \axi.word_last ;
      end
    end
    if (\axi.starts ) count <= 4'd0;
    if (!goes_on) begin
      count <= 4'd0;
      is_due <= 1'b0;
    end
    if (was_reset) begin
      // A whole word waits until the beat before it has left.
      if (word && count == PARTS - 1 && is_due) assert (beat);
      assert (m_axis_tvalid == is_due);
      if (is_due) begin
        assert (m_axis_tkeep == due_keep);
        assert (m_axis_tlast == due_last);
        for (k = 0; k < BYTES; k = k + 1)
          if (due_keep[k]) assert (m_axis_tdata[8*k +: 8] == due[8*k +: 8]);
      end
      cover (beat && word);
    end
  end

`ifdef COVERS
  // The short way there: one message, and nothing outside waits.
  assign reset_n = was_reset;
  assign psel = 1'b1;
  assign penable = 1'b1;
  assign s_axis_tvalid = 1'b1;
  assign m_axis_tready = 1'b1;
  one_message way (
      .clk(clk), .reset_n(reset_n), .pslverr(pslverr), .pwrite(pwrite),
      .paddr(paddr), .pwdata(pwdata)
  );
`endif

endmodule

`default_nettype wire
