// SPDX-License-Identifier: Apache-2.0
// The registers of the AXI wrapper, told from its bus alone. A message begins only
// when the last four words written to KEY are its words 0 to 3, and the last three
// written to NONCE behind the first of these are 0 to 2, with no message, clear or
// reset since: so no message has parts of two keys, a part of a key, or an old nonce.
// A read gives what was written to the sizes, the tag of a message that was sealed and
// whose packet ended where the sizes say, and zeros everywhere else: the core's `tag` is never read before its time.

`default_nettype none

module axi_registers #(
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

  samara_grain128_axi #(.N(N), .FAST(FAST), .LOW_POWER(LOW_POWER)) axi (
      .clk(clk), .reset_n(reset_n), .psel(psel), .penable(penable), .pwrite(pwrite),
      .paddr(paddr), .pwdata(pwdata), .prdata(prdata), .pslverr(pslverr),
      .s_axis_tvalid(s_axis_tvalid), .s_axis_tdata(s_axis_tdata),
      .s_axis_tlast(s_axis_tlast),
      .m_axis_tready(m_axis_tready)
  );

  (* hierconn *) wire \axi.starts ;
  (* hierconn *) wire \axi.source.key_write ;
  (* hierconn *) wire [1:0] \axi.source.key_word ;
  (* hierconn *) wire \axi.source.nonce_write ;
  (* hierconn *) wire [1:0] \axi.source.nonce_word ;
  (* hierconn *) wire \axi.has_error ;  // axi_input.v says when
  (* hierconn *) wire \axi.core.tag_valid ;
  (* hierconn *) wire [63:0] \axi.core.tag ;

  wire [4:0] address = paddr[6:2];
  wire [1:0] word = paddr[3:2];
  wire is_write = psel && penable && pwrite;
  wire is_written = is_write && !pslverr;
  wire is_key = address[4:2] == 3'd2;
  wire is_nonce = address[4:2] == 3'd3;
  wire is_tag = address[4:1] == 4'd8;
  wire clears = is_write && address == 5'd1 && pwdata[2];
  wire starts = is_written && address == 5'd1 && pwdata[3:2] == 2'd0;

  // The numbers of the last words written, with a bit that there is one.
  reg [11:0] keys;
  reg [8:0] nonces;
  wire has_key = keys == {3'd4, 3'd5, 3'd6, 3'd7};
  wire has_nonce = nonces == {3'd4, 3'd5, 3'd6};

  reg is_sealing;
  reg is_sealed;
  reg [63:0] tag;
  reg [15:0] ad_size;
  reg [31:0] size;
  reg was_reset = 1'b0;

  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (!was_reset) assume (!reset_n);
    if (is_written && is_key) keys <= {keys[8:0], 1'b1, word};
    if (is_written && is_nonce) nonces <= {nonces[5:0], 1'b1, word};
    if (starts || (is_written && is_key && word == 2'd0)) nonces <= 9'd0;
    if (is_written && address == 5'd3) ad_size <= pwdata[15:0];
    if (is_written && address == 5'd4) size <= pwdata;
    if (starts) is_sealing <= pwdata[0];
    if (starts || (is_written && is_tag)) is_sealed <= 1'b0;
    if (\axi.core.tag_valid && !\axi.has_error ) begin
      is_sealed <= 1'b1;
      tag <= \axi.core.tag ;
    end
    if (!reset_n || clears) begin
      {keys, nonces, ad_size, size} <= 0;
      is_sealing <= 1'b0;
      is_sealed <= 1'b0;
    end

    if (was_reset) begin
      assert (\axi.starts == starts);
      if (starts) assert (has_key && has_nonce && pwdata[0] != pwdata[1]);
      assert (\axi.source.key_write == (is_written && is_key));
      assert (\axi.source.nonce_write == (is_written && is_nonce));
      if (is_written && (is_key || is_nonce)) begin
        assert (\axi.source.key_word == word);
        assert (\axi.source.nonce_word == word);
        assert (!is_nonce || word != 2'd3);
      end
      if (\axi.core.tag_valid ) assert (is_sealing);
      case (address)
        5'd0: assert (prdata == 32'h53470002);
        5'd2: begin
          assert (prdata[5:4] == {has_key, has_nonce});
          assert (prdata[1] == is_sealed);
          assert (prdata[31:8] == 24'd0);
        end
        5'd3: assert (prdata == {16'd0, ad_size});
        5'd4: assert (prdata == size);
        5'd16: assert (prdata == (is_sealed ? tag[31:0] : 32'd0));
        5'd17: assert (prdata == (is_sealed ? tag[63:32] : 32'd0));
        default: assert (prdata == 32'd0);
      endcase
      cover (starts);
      cover (is_tag && is_sealed && !pwrite && psel);
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
