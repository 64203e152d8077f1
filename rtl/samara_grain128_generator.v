// SPDX-License-Identifier: Apache-2.0
// The two shift registers of Grain-128AEADv2, N clocks of the cipher in one.
//
// Parameters
//   N           1, 2, 4, 8, 16, 32 or 64.
//   LOOK_AHEAD  1 (N <= 16): the sums of taps are made one clock before they are
//               needed, from bits that stand N places further, and wait in 3 N
//               flip-flops. No tap lies above bit 96, so that bit 96 + 2 N - 1 <= 127
//               is there already. What then remains of the loop from pre-output to
//               register are two XOR. (The Galois form shortens the same path, but
//               its registers have to be converted when they are loaded.)
//
// Ports
//   advances    The registers move on. If low, nothing changes.
//   loads       Key and nonce come in; with `clears`, zeros.
//   mixes       The pre-output is fed back (start-up).
//   adds_key    The key is added once more (end of start-up).
//   pre_output  N bits, the first in bit 0, of the registers as they stand.

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

  localparam M = N < 32 ? N : 32;  // clocks without a bit from one another

  reg [127:0] lfsr;
  reg [127:0] nfsr;

  wire [N-1:0] lfsr_feedback;
  wire [N-1:0] nfsr_feedback;

  // While key and nonce come in, the feedback is held back, and what comes in is added
  // as it is at the end of start-up: one gate a bit less than a multiplexer.
  wire loads_or_clears = loads || clears;
  wire [N-1:0] fed_back = pre_output & {N{mixes}};
  wire [N-1:0] lfsr_outside = (nonce & {N{loads}}) | (key_high & {N{adds_key}});
  wire [N-1:0] nfsr_outside = key_low & {N{loads || adds_key}};
  wire [N-1:0] lfsr_in =
      (lfsr_feedback & {N{!loads_or_clears}}) ^ lfsr_outside ^ fed_back;
  wire [N-1:0] nfsr_in =
      (nfsr_feedback & {N{!loads_or_clears}}) ^ nfsr_outside ^ fed_back;

  always @(posedge clk) begin
    if (advances) begin
      lfsr <= {lfsr_in, lfsr[127:N]};
      nfsr <= {nfsr_in, nfsr[127:N]};
    end
  end

  generate
    if (LOOK_AHEAD != 0 && N <= 16) begin : ahead

      wire [N-1:0] lfsr_sum;
      wire [N-1:0] nfsr_sum;
      wire [N-1:0] output_sum;
      reg [N-1:0] lfsr_waits;
      reg [N-1:0] nfsr_waits;
      reg [N-1:0] output_waits;

      samara_grain128_step #(.M(N)) step (
          .lfsr({{N{1'b0}}, lfsr[127:N]}),
          .nfsr({{N{1'b0}}, nfsr[127:N]}),
          .lfsr_feedback(lfsr_sum),
          .nfsr_feedback(nfsr_sum),
          .pre_output(output_sum)
      );

      always @(posedge clk) begin
        if (advances) begin
          lfsr_waits <= lfsr_sum;
          nfsr_waits <= nfsr_sum;
          output_waits <= output_sum;
        end
      end

      wire unused = &{lfsr[N-1:0], nfsr[N-1:0]};  // for lint

      assign lfsr_feedback = lfsr_waits;
      assign nfsr_feedback = nfsr_waits;
      assign pre_output = output_waits;

    end else begin : direct

      samara_grain128_step #(.M(M)) first (
          .lfsr(lfsr),
          .nfsr(nfsr),
          .lfsr_feedback(lfsr_feedback[M-1:0]),
          .nfsr_feedback(nfsr_feedback[M-1:0]),
          .pre_output(pre_output[M-1:0])
      );

      if (N == 64) begin : unrolled
        samara_grain128_step #(.M(M)) second (
            .lfsr({lfsr_in[31:0], lfsr[127:32]}),
            .nfsr({nfsr_in[31:0], nfsr[127:32]}),
            .lfsr_feedback(lfsr_feedback[N-1:M]),
            .nfsr_feedback(nfsr_feedback[N-1:M]),
            .pre_output(pre_output[N-1:M])
        );
      end

    end
  endgenerate

endmodule

`default_nettype wire
