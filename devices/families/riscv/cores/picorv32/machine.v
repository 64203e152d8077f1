// SPDX-License-Identifier: Apache-2.0
// PicoRV32 as its author measures it (dhrystone/testbench.v there), with compressed
// instructions: multiplications in one cycle more than an addition, a divider, a
// barrel shifter, and memory that answers to the address that the core looks ahead.
`default_nettype none

module machine (
    input  wire        clk,
    input  wire        resetn,
    // Words are those at the addresses now; the core has them after the next edge.
    output wire        code_read,
    output wire [31:0] code_address,
    input  wire [31:0] code_word,
    output wire        data_read,
    output wire [3:0]  data_write,
    output wire [31:0] data_address,
    output wire [31:0] data_to_write,
    input  wire [31:0] data_word,
    // An instruction begins at the next edge: all before it have ended.
    output wire        begins,
    output wire [31:0] pc,
    output wire [31:0] sp,
    output wire        trapped,
    // One of the registers.
    input  wire [4:0]  register_number,
    output wire [31:0] register_word
);

  localparam [4:0] Sp = 2;

  wire reads;
  wire writes;
  wire [3:0] strobes;
  wire [31:0] address;

  reg [31:0] data;

  always @(posedge clk) begin
    if (data_read) data <= data_word;
  end

  // The port of data is the only one: instructions come by it as well.
  assign code_read = 1'b0;
  assign code_address = 32'b0;
  assign data_read = reads;
  assign data_write = writes ? strobes : 4'b0;
  assign data_address = address;

  picorv32 #(
      .PROGADDR_RESET(32'h80),
      .COMPRESSED_ISA(1),
      .BARREL_SHIFTER(1),
      .ENABLE_FAST_MUL(1),
      .ENABLE_DIV(1)
  ) core (
      .clk(clk),
      .resetn(resetn),
      .trap(trapped),
      .mem_ready(1'b1),
      .mem_rdata(data),
      .mem_la_read(reads),
      .mem_la_write(writes),
      .mem_la_addr(address),
      .mem_la_wdata(data_to_write),
      .mem_la_wstrb(strobes),
      .pcpi_wr(1'b0),
      .pcpi_rd(32'b0),
      .pcpi_wait(1'b0),
      .pcpi_ready(1'b0),
      .irq(32'b0)
  );

  assign begins = core.launch_next_insn;
  assign pc = core.next_pc;
  // What the instruction before writes, arrives in the register at the same edge.
  assign sp = core.cpuregs_write && core.latched_rd == Sp ? core.cpuregs_wrdata : core.cpuregs[Sp];
  assign register_word = core.cpuregs_write && core.latched_rd == register_number
      ? core.cpuregs_wrdata : core.cpuregs[register_number];

endmodule
