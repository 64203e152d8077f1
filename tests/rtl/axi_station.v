// SPDX-License-Identifier: Apache-2.0
// A core behind registers and streams, with ports that a test can write: variables.

`timescale 1ns / 1ps
`default_nettype none

module axi_station #(
    parameter N = 8,
    parameter FAST = 0,
    parameter LOW_POWER = 0
) (
    input wire clk
);

  localparam BEAT = N <= 16 ? 8 : N / 2;

  reg reset_n /* verilator public_flat_rw */;
  reg psel /* verilator public_flat_rw */;
  reg penable /* verilator public_flat_rw */;
  reg pwrite /* verilator public_flat_rw */;
  reg [6:0] paddr /* verilator public_flat_rw */;
  reg [31:0] pwdata /* verilator public_flat_rw */;
  wire pready /* verilator public_flat_rd */;
  wire [31:0] prdata /* verilator public_flat_rd */;
  wire pslverr /* verilator public_flat_rd */;
  reg s_axis_tvalid /* verilator public_flat_rw */;
  wire s_axis_tready /* verilator public_flat_rd */;
  reg [BEAT-1:0] s_axis_tdata /* verilator public_flat_rw */;
  reg s_axis_tlast /* verilator public_flat_rw */;
  wire m_axis_tvalid /* verilator public_flat_rd */;
  reg m_axis_tready /* verilator public_flat_rw */;
  wire [BEAT-1:0] m_axis_tdata /* verilator public_flat_rd */;
  wire [BEAT/8-1:0] m_axis_tkeep /* verilator public_flat_rd */;
  wire m_axis_tlast /* verilator public_flat_rd */;

  // What the test waits for: where registers have it a rising edge later.
  wire s_beat = s_axis_tvalid && s_axis_tready;
  wire m_beat = m_axis_tvalid && m_axis_tready;
  reg [15:0] s_beats /* verilator public_flat_rw */;
  reg [15:0] m_beats /* verilator public_flat_rw */;
  reg [BEAT-1:0] m_data /* verilator public_flat_rw */;
  reg [BEAT/8-1:0] m_keep /* verilator public_flat_rw */;
  reg m_last /* verilator public_flat_rw */;
  // A beat changed, or was taken back, before it was taken.
  reg bad /* verilator public_flat_rw */;
  reg waited;
  initial begin
    {reset_n, psel, penable, pwrite, paddr, pwdata} = 0;
    {s_axis_tvalid, s_axis_tdata, s_axis_tlast, m_axis_tready} = 0;
    {s_beats, m_beats, bad, waited} = 0;
    {m_data, m_keep, m_last} = 0;
  end
  wire [BEAT+BEAT/8:0] offered = {m_axis_tlast, m_axis_tkeep, m_axis_tdata};
  reg [BEAT+BEAT/8:0] offered_before;
  always @(posedge clk) begin
    if (s_beat) s_beats <= s_beats + 1'b1;
    if (m_beat) begin
      m_beats <= m_beats + 1'b1;
      m_data <= m_axis_tdata;
      m_keep <= m_axis_tkeep;
      m_last <= m_axis_tlast;
    end
    waited <= m_axis_tvalid && !m_axis_tready && reset_n;
    offered_before <= offered;
    if (waited && !(m_axis_tvalid && offered == offered_before)) bad <= 1'b1;
  end

  samara_grain128_axi #(.N(N), .FAST(FAST), .LOW_POWER(LOW_POWER)) chip (
      .clk(clk),
      .reset_n(reset_n),
      .psel(psel),
      .penable(penable),
      .pwrite(pwrite),
      .paddr(paddr),
      .pwdata(pwdata),
      .pready(pready),
      .prdata(prdata),
      .pslverr(pslverr),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata(s_axis_tdata),
      .s_axis_tlast(s_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready),
      .m_axis_tdata(m_axis_tdata),
      .m_axis_tkeep(m_axis_tkeep),
      .m_axis_tlast(m_axis_tlast)
  );

endmodule

`default_nettype wire
