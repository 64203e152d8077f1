// SPDX-License-Identifier: Apache-2.0
// M clocks of the Grain-128AEADv2 generator, 1 <= M <= 32 (specification,
// section 2.1): no tap reads a bit that one of the M clocks has made.
//
// Bit 0 of each register is the one that leaves first, and bit 0 of each output
// belongs to the first of the M clocks.
//
// One block, not an assignment for each output: a simulator then evaluates it once
// when the registers move, not once for each tap (Icarus: 3 to 6 times faster).

`default_nettype none

module samara_grain128_step #(
    parameter M = 1
) (
    // Not every bit is a tap.
    // verilator lint_off UNUSEDSIGNAL
    input  wire [127:0] lfsr,
    input  wire [127:0] nfsr,
    // verilator lint_on UNUSEDSIGNAL
    output reg  [M-1:0] lfsr_feedback,
    output reg  [M-1:0] nfsr_feedback,
    output reg  [M-1:0] pre_output
);

  reg [M-1:0] filter;

  always @* begin
    lfsr_feedback =
        lfsr[0 +: M] ^ lfsr[7 +: M] ^ lfsr[38 +: M]
        ^ lfsr[70 +: M] ^ lfsr[81 +: M] ^ lfsr[96 +: M];

    nfsr_feedback =
        lfsr[0 +: M]
        ^ nfsr[0 +: M] ^ nfsr[26 +: M] ^ nfsr[56 +: M]
        ^ nfsr[91 +: M] ^ nfsr[96 +: M]
        ^ (nfsr[3 +: M] & nfsr[67 +: M])
        ^ (nfsr[11 +: M] & nfsr[13 +: M])
        ^ (nfsr[17 +: M] & nfsr[18 +: M])
        ^ (nfsr[27 +: M] & nfsr[59 +: M])
        ^ (nfsr[40 +: M] & nfsr[48 +: M])
        ^ (nfsr[61 +: M] & nfsr[65 +: M])
        ^ (nfsr[68 +: M] & nfsr[84 +: M])
        ^ (nfsr[22 +: M] & nfsr[24 +: M] & nfsr[25 +: M])
        ^ (nfsr[70 +: M] & nfsr[78 +: M] & nfsr[82 +: M])
        ^ (nfsr[88 +: M] & nfsr[92 +: M] & nfsr[93 +: M] & nfsr[95 +: M]);

    filter =
        (nfsr[12 +: M] & lfsr[8 +: M])
        ^ (lfsr[13 +: M] & lfsr[20 +: M])
        ^ (nfsr[95 +: M] & lfsr[42 +: M])
        ^ (lfsr[60 +: M] & lfsr[79 +: M])
        ^ (nfsr[12 +: M] & nfsr[95 +: M] & lfsr[94 +: M]);

    pre_output =
        filter ^ lfsr[93 +: M]
        ^ nfsr[2 +: M] ^ nfsr[15 +: M] ^ nfsr[36 +: M] ^ nfsr[45 +: M]
        ^ nfsr[64 +: M] ^ nfsr[73 +: M] ^ nfsr[89 +: M];
  end

endmodule

`default_nettype wire
