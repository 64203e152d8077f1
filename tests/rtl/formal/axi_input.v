// SPDX-License-Identifier: Apache-2.0
// The stream that enters the AXI wrapper, told from its bus and the stream alone. Each
// message with bytes owes one packet. Its beats go to the format, each once, up to its
// tlast or to a clear; behind a clear they are thrown away, without a wait, and no
// message begins before the last of them or the host's word that it has stopped. So no
// byte of one message is taken for another. A packet that does not end with the last
// byte that the sizes name is told, gives no tag and is not verified.

`default_nettype none

module axi_input #(
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
    input wire               s_axis_tlast,
    input wire               m_axis_tready
);

  wire [31:0] prdata;
  wire pslverr;
  wire s_axis_tready;

  samara_grain128_axi #(.N(N), .FAST(FAST), .LOW_POWER(LOW_POWER)) axi (
      .clk(clk), .reset_n(reset_n), .psel(psel), .penable(penable), .pwrite(pwrite),
      .paddr(paddr), .pwdata(pwdata), .prdata(prdata), .pslverr(pslverr),
      .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready),
      .s_axis_tdata(s_axis_tdata), .s_axis_tlast(s_axis_tlast),
      .m_axis_tready(m_axis_tready)
  );

  (* hierconn *) wire \axi.format.beat_valid ;
  (* hierconn *) wire \axi.format.beat_ready ;
  (* hierconn *) wire \axi.format.beat_last ;
  (* hierconn *) wire [15:0] \axi.ad_size ;
  (* hierconn *) wire [31:0] \axi.message_size ;

  wire writes_control = psel && penable && pwrite && paddr[6:2] == 5'd1;
  wire clears = writes_control && pwdata[2];
  wire starts = writes_control && !pslverr && pwdata[3:2] == 2'd0;
  wire stops = writes_control && !pslverr && pwdata[3] && pwdata[1:0] == 2'd0;
  wire reads_status = psel && !pwrite && paddr[6:2] == 5'd2;
  wire beat = s_axis_tvalid && s_axis_tready;
  wire taken = \axi.format.beat_valid && \axi.format.beat_ready ;

  reg is_owed;  // a packet, or the rest of it
  reg is_stale;  // of a message that was cleared
  reg is_wrong;  // it did not end where it has to
  wire is_paid = (beat && s_axis_tlast) || stops;
  reg was_reset = 1'b0;

  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (!reset_n);
    if (starts) is_owed <= |\axi.ad_size || |\axi.message_size ;
    if (clears) is_stale <= is_owed;
    if (is_paid) {is_owed, is_stale} <= 2'd0;
    if (taken && s_axis_tlast != \axi.format.beat_last ) is_wrong <= 1'b1;
    if (clears) is_wrong <= 1'b0;
    if (!reset_n) {is_owed, is_stale, is_wrong} <= 3'd0;

    if (was_reset) begin
      if (beat) assert (is_owed);
      assert (taken == (beat && !is_stale));
      if (is_stale) assert (s_axis_tready && !starts);
      if (is_wrong) assert (!starts);
      if (starts) assert (!is_owed);
      if (stops) assert (clears || is_stale);
      if (reads_status) begin
        assert (prdata[7:6] == {is_stale, is_wrong});
        if (is_stale || is_wrong) assert (prdata[3:0] == 4'd0);
      end
      cover (taken && \axi.format.beat_last );
      cover (is_wrong);
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
