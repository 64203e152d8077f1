// SPDX-License-Identifier: Apache-2.0
// In place of samara_grain128_generator where a proof concerns what stays: any
// pre-output, but the same one until the registers move on. That the generator does
// so is proven in `generator.v`: it depends on its registers, and, while it starts, on
// what is fed back.

`default_nettype none

module samara_grain128_generator #(
    parameter N = 1,
    parameter LOOK_AHEAD = 0
) (
    input  wire         clk,
    input  wire         advances,
    input  wire         clears,
    input  wire         loads,
    input  wire         mixes,
    input  wire         adds_key,
    input  wire [N-1:0] key_low,
    input  wire [N-1:0] key_high,
    input  wire [N-1:0] nonce,
    output wire [N-1:0] pre_output
);

  // What generator.v assumes of the core.
  reg was_clear = 1'b0;
  always @(posedge clk) begin
    was_clear <= was_clear || clears;
    if (was_clear) begin
      assert (!(clears && loads) && !(clears && mixes) && !(loads && mixes));
      assert (mixes || !adds_key);
    end
  end

  (* anyseq *) wire [N-1:0] any;
  reg [N-1:0] held;
  always @(posedge clk) if (advances) held <= any;
  assign pre_output = held ^ (any & {N{clears || loads || mixes || adds_key}});

endmodule

`default_nettype wire
