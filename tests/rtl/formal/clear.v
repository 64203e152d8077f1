// SPDX-License-Identifier: Apache-2.0
// Reset and the command that clears: from any state whatever, when the core is ready
// again, no register holds anything of a key, a nonce or a message (isolated: the
// authenticator's register, which no port shows, one clock later). What a clear finds
// offered stays until it is taken; reset takes it back.
//
// The sequence has a fixed length, so that a bounded check of that length, begun in
// an arbitrary state, is complete.

`default_nettype none

module clear #(
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
  wire m_axis_tvalid;
  wire [8*BYTES-1:0] m_axis_tdata;
  wire [BYTES-1:0] m_axis_tkeep;
  wire m_axis_tlast;

  samara_grain128_axi #(.N(N), .FAST(FAST), .LOW_POWER(LOW_POWER)) axi (
      .clk(clk), .reset_n(reset_n), .psel(psel), .penable(penable), .pwrite(pwrite),
      .paddr(paddr), .pwdata(pwdata), .prdata(prdata),
      .s_axis_tvalid(s_axis_tvalid), .s_axis_tdata(s_axis_tdata),
      .s_axis_tlast(s_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
      .m_axis_tdata(m_axis_tdata), .m_axis_tkeep(m_axis_tkeep),
      .m_axis_tlast(m_axis_tlast)
  );

  (* hierconn *) wire [127:0] \axi.core.generator.lfsr ;
  (* hierconn *) wire [127:0] \axi.core.generator.nfsr ;
  (* hierconn *) wire [N-1:0] \axi.core.generator.pre_output ;
  (* hierconn *) wire [63:0] \axi.core.aead.authenticator.one_bit.held ;
  (* hierconn *) wire [63:0] \axi.core.aead.authenticator.several_bits.held_n ;
  (* hierconn *) wire [63:0] \axi.core.aead.authenticator.accumulator ;
  (* hierconn *) wire [127:0] \axi.source.key ;
  (* hierconn *) wire [127:0] \axi.source.start ;
  (* hierconn *) wire [63:0] \axi.tag ;
  // Words of 2 and 4 bytes: what is left of a beat.
  localparam HELD = BYTES > 1 ? 8 * (BYTES - 1) : 1;
  (* hierconn *) wire [HELD-1:0] \axi.format.several.held ;

  wire writes_clear = psel && penable && pwrite && paddr[6:2] == 5'h01 && pwdata[2];
  localparam CLOCKS = 128 / N + 1;  // from the command to `ready`

  localparam ISOLATED = FAST != 0 || (LOW_POWER != 0 && N >= 16);

  wire [9*BYTES:0] offered = {m_axis_tlast, m_axis_tkeep, m_axis_tdata};
  reg [9*BYTES:0] offered_then;
  reg stays;
  reg is_reset;

  reg [8:0] age = 9'd0;
  always @(posedge clk) begin
    if (age != CLOCKS + 2) age <= age + 1'b1;
    if (age == 0) assume (!reset_n || writes_clear);
    else assume (reset_n && !writes_clear);
    if (age == 0) begin
      offered_then <= offered;
      is_reset <= !reset_n;
    end
    stays <= (age == 0 ? m_axis_tvalid && reset_n : stays) && !m_axis_tready;
    if (age >= 1) begin
      if (stays) assert (m_axis_tvalid && offered == offered_then);
      else if (m_axis_tvalid) assert (m_axis_tlast && m_axis_tkeep == 0);
      if (!stays) assert (m_axis_tdata == 0);
      if (is_reset) assert (!m_axis_tvalid);
      assert (\axi.source.key == 128'd0);
      assert (\axi.source.start == 128'd0 || age >= CLOCKS);
      assert (\axi.tag == 64'd0 || age >= CLOCKS);
      if (BYTES > 1 && age < CLOCKS) assert (\axi.format.several.held == 0);
    end
    if (age >= 1 && age < CLOCKS && psel && !pwrite && paddr[6:2] == 5'h02)
      assert (!prdata[0]);
    if (age == CLOCKS) begin
      assert (\axi.core.generator.lfsr == 128'd0);
      assert (\axi.core.generator.nfsr == 128'd0);
      assert (\axi.core.generator.pre_output == 0);
      assert (\axi.core.aead.authenticator.accumulator == 64'd0);
      if (psel && !pwrite && paddr[6:2] == 5'h02) begin
        // Ready, if nothing of the message before is still to come or to go.
        assert ((prdata & ~32'h81) == 32'd0);
        if (is_reset) assert (prdata == 32'd1);
      end
      cover (m_axis_tready);
    end
    // Isolated, the authenticator is one clock behind: so are its register's last
    // zeros.
    if (age == CLOCKS + ISOLATED) begin
      if (W == 1) assert (\axi.core.aead.authenticator.one_bit.held == 64'd0);
      else assert (\axi.core.aead.authenticator.several_bits.held_n == {64{1'b1}});
    end
  end

endmodule

`default_nettype wire
