// SPDX-License-Identifier: Apache-2.0
// N clocks of the cipher are one of the generator: whatever its registers hold, they
// and the pre-output become what the specification's bit-serial form (section 2.1),
// written here once more, makes of them in N steps.
//
// Assumed of the core, and proven of it in contract.v: it clears, loads or mixes one at
// a time, and adds the key only while it mixes.
//
// With look-ahead this holds from the first advance on: then the waiting sums are
// those of the registers, whatever the registers are. So plain and fast agree.

`default_nettype none

module generator #(
    parameter N = 1,
    parameter FAST = 0
) (
    input wire         clk,
    input wire         advances,
    input wire         clears,
    input wire         loads,
    input wire         mixes,
    input wire         adds_key,
    input wire [N-1:0] key_low,
    input wire [N-1:0] key_high,
    input wire [N-1:0] nonce
);

  wire [N-1:0] pre_output;
  (* hierconn *) wire [127:0] \dut.lfsr ;
  (* hierconn *) wire [127:0] \dut.nfsr ;
  wire [127:0] lfsr = \dut.lfsr ;
  wire [127:0] nfsr = \dut.nfsr ;

  samara_grain128_generator #(.N(N), .LOOK_AHEAD(FAST)) dut (
      .clk(clk), .advances(advances), .clears(clears), .loads(loads), .mixes(mixes),
      .adds_key(adds_key), .key_low(key_low), .key_high(key_high), .nonce(nonce),
      .pre_output(pre_output)
  );

  function lfsr_step(input [127+N:0] s, input integer i);
    lfsr_step = s[i] ^ s[i+7] ^ s[i+38] ^ s[i+70] ^ s[i+81] ^ s[i+96];
  endfunction

  function nfsr_step(input [127+N:0] s, input [127+N:0] b, input integer i);
    nfsr_step = s[i] ^ b[i] ^ b[i+26] ^ b[i+56] ^ b[i+91] ^ b[i+96]
        ^ (b[i+3] & b[i+67]) ^ (b[i+11] & b[i+13]) ^ (b[i+17] & b[i+18])
        ^ (b[i+27] & b[i+59]) ^ (b[i+40] & b[i+48]) ^ (b[i+61] & b[i+65])
        ^ (b[i+68] & b[i+84]) ^ (b[i+88] & b[i+92] & b[i+93] & b[i+95])
        ^ (b[i+22] & b[i+24] & b[i+25]) ^ (b[i+70] & b[i+78] & b[i+82]);
  endfunction

  function pre_output_of(input [127+N:0] s, input [127+N:0] b, input integer i);
    pre_output_of = (b[i+12] & s[i+8]) ^ (s[i+13] & s[i+20]) ^ (b[i+95] & s[i+42])
        ^ (s[i+60] & s[i+79]) ^ (b[i+12] & b[i+95] & s[i+94])
        ^ s[i+93] ^ b[i+2] ^ b[i+15] ^ b[i+36] ^ b[i+45] ^ b[i+64] ^ b[i+73]
        ^ b[i+89];
  endfunction

  reg [127+N:0] s;
  reg [127+N:0] b;
  reg [N-1:0] y;
  integer i;
  always @* begin
    s = lfsr;
    b = nfsr;
    for (i = 0; i < N; i = i + 1) begin
      y[i] = pre_output_of(s, b, i);
      s[i+128] = lfsr_step(s, i) ^ (mixes & y[i]) ^ (adds_key & key_high[i]);
      b[i+128] = nfsr_step(s, b, i) ^ (mixes & y[i]) ^ (adds_key & key_low[i]);
    end
    if (clears || loads) begin
      s[128 +: N] = clears ? {N{1'b0}} : nonce;
      b[128 +: N] = clears ? {N{1'b0}} : key_low;
    end
  end

  // A lemma for look-ahead: the waiting sums are those of the registers.
  (* hierconn *) wire [N-1:0] \dut.lfsr_feedback ;
  (* hierconn *) wire [N-1:0] \dut.nfsr_feedback ;
  reg [N-1:0] s_sum;
  reg [N-1:0] b_sum;
  always @* begin
    for (i = 0; i < N; i = i + 1) begin
      s_sum[i] = lfsr_step(s, i);
      b_sum[i] = nfsr_step(s, b, i);
    end
  end

  reg settled = 1'b0;  // the registers have moved on before
  reg is_compared = 1'b0;
  reg [127:0] s_next;
  reg [127:0] b_next;
  always @(posedge clk) begin
    if (advances) settled <= 1'b1;
    s_next <= advances ? s[N +: 128] : lfsr;
    b_next <= advances ? b[N +: 128] : nfsr;
    assume ({3'd0, clears} + loads + mixes <= 1 && (mixes || !adds_key));
    is_compared <= settled || FAST == 0;
    // The second half of N = 64 builds on feedback, which is not that of loading.
    if ((settled || FAST == 0) && (N <= 32 || (!clears && !loads)))
      assert (pre_output == y);
    if (FAST != 0 && N <= 32 && settled) begin
      assert (\dut.lfsr_feedback == s_sum);
      assert (\dut.nfsr_feedback == b_sum);
    end
    if (is_compared) begin
      assert (lfsr == s_next);
      assert (nfsr == b_next);
      cover (advances && mixes && pre_output == {N{1'b1}} && !clears && !loads);
    end
  end

endmodule

`default_nettype wire
