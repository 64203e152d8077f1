// SPDX-License-Identifier: Apache-2.0
// The serial wrapper, reset and the command that clears: from any state whatever, in the
// clock behind them its registers hold nothing of a key, a nonce, a message or a tag, and
// its status says that there is none. The core is cleared as in clear.v.

`default_nettype none

module serial_clear #(
    parameter N = 8,
    parameter FAST = 0,
    parameter LOW_POWER = 0
) (
    input wire clk,
    input wire reset_n,
    input wire sck,
    input wire cs_n,
    input wire mosi
);

  localparam CLOCKS = 128 / N + 1;  // from the command to `ready`

  wire miso;

  samara_grain128_spi #(.N(N), .FAST(FAST), .LOW_POWER(LOW_POWER)) port (
      .clk(clk), .reset_n(reset_n), .sck(sck), .cs_n(cs_n), .mosi(mosi), .miso(miso)
  );

  (* hierconn *) wire \port.clear ;
  (* hierconn *) wire [7:0] \port.status ;
  (* hierconn *) wire [7:0] \port.bits_out ;
  (* hierconn *) wire [23:0] \port.bytes_before ;
  (* hierconn *) wire [31:0] \port.sizes ;
  (* hierconn *) wire [7:0] \port.held ;
  (* hierconn *) wire [7:0] \port.out_byte ;
  (* hierconn *) wire [3:0] \port.tag_bytes ;
  (* hierconn *) wire [2:0] \port.tag_place ;
  (* hierconn *) wire \port.byte_waits ;
  (* hierconn *) wire \port.begins ;
  (* hierconn *) wire \port.is_opening ;
  (* hierconn *) wire \port.is_taken ;
  (* hierconn *) wire \port.takes_data ;
  (* hierconn *) wire \port.core_ready ;
  (* hierconn *) wire [127:0] \port.source.key ;
  (* hierconn *) wire [127:0] \port.source.start ;
  (* hierconn *) wire \port.format.is_running ;
  (* hierconn *) wire [127:0] \port.core.generator.lfsr ;
  (* hierconn *) wire [127:0] \port.core.generator.nfsr ;
  (* hierconn *) wire [63:0] \port.core.aead.authenticator.accumulator ;

  reg [8:0] age = 9'd0;
  always @(posedge clk) begin
    if (age != CLOCKS + 1) age <= age + 1'b1;
    if (age == 0) assume (!reset_n || \port.clear );
    else assume (reset_n && !\port.clear );
    if (age == 1) begin
      assert (\port.source.key == 128'd0 && \port.source.start == 128'd0);
      assert (\port.bytes_before == 24'd0 && \port.sizes == 32'd0);
      assert (\port.held == 8'd0 && \port.out_byte == 8'd0);
      assert (\port.bits_out == 8'd0 && !miso);
      assert (\port.tag_bytes == 4'd0 && \port.tag_place == 3'd0);
      assert (!\port.byte_waits && !\port.begins && !\port.is_opening );
      assert (!\port.is_taken && !\port.takes_data && !\port.format.is_running );
      assert (\port.status == 8'd0);
    end
    if (age >= 1 && age < CLOCKS) assert (!\port.core_ready );
    if (age == CLOCKS) begin
      assert (\port.core.generator.lfsr == 128'd0);
      assert (\port.core.generator.nfsr == 128'd0);
      assert (\port.core.aead.authenticator.accumulator == 64'd0);
      assert (\port.core_ready );
      cover (!cs_n);
    end
  end

endmodule

`default_nettype wire
