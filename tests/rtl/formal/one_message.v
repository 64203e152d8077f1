// SPDX-License-Identifier: Apache-2.0
// The bus of the AXI wrapper while one message is sealed: key, nonce and size are
// written, each as soon as it is allowed, then `seal`, then TAG is read for ever. The
// proofs of the wrapper reach their cover statements on this way.

`default_nettype none

module one_message (
    input  wire        clk,
    input  wire        reset_n,
    input  wire        pslverr,
    output wire        pwrite,
    output wire [6:0]  paddr,
    output wire [31:0] pwdata
);

  // Words of KEY (0 to 3) and NONCE (4 to 6), SIZE, CONTROL, TAG.
  localparam [3:0] SIZE = 4'd7, CONTROL = 4'd8, TAG = 4'd9;
  reg [3:0] step = 4'd0;
  always @(posedge clk) if (reset_n && !pslverr && step != TAG) step <= step + 4'd1;

  assign pwrite = step != TAG;
  assign paddr = step == SIZE ? 7'h10 : step == CONTROL ? 7'h04 : step == TAG ? 7'h40
      : {1'b0, 4'd8 + step, 2'd0};
  assign pwdata = step == SIZE ? 32'd16 : 32'd1;

endmodule

`default_nettype wire
