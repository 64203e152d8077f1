// SPDX-License-Identifier: Apache-2.0
// Ibex as its authors' configuration `small` has it: two stages, a multiplier of three
// cycles, no cache. Memory grants each request at once and answers after the next edge.
`default_nettype none

// What Ibex asks its users for; nothing here needs more than a wire.
module prim_buf #(
    parameter int Width = 1
) (
    input  wire  [Width-1:0] in_i,
    output logic [Width-1:0] out_o
);
  assign out_o = in_i;
endmodule

module machine (
    input  wire         clk,
    input  wire         resetn,
    // Words are those at the addresses now; the core has them after the next edge.
    output logic        code_read,
    output logic [31:0] code_address,
    input  wire  [31:0] code_word,
    output logic        data_read,
    output logic [ 3:0] data_write,
    output logic [31:0] data_address,
    output logic [31:0] data_to_write,
    input  wire  [31:0] data_word,
    // An instruction begins at the next edge: all before it have ended.
    output logic        begins,
    output logic [31:0] pc,
    output logic [31:0] sp,
    output logic        trapped,
    // One of the registers.
    input  wire  [ 4:0] register_number,
    output logic [31:0] register_word
);

  import ibex_pkg::*;

  // Exceptions begin below the address where programs do.
  localparam logic [31:0] Start = 32'h80;
  localparam int Sp = 2;

  logic [31:0] code, data;
  logic code_answers, data_asks, data_writes, data_answers;
  logic [3:0] data_bytes;
  logic [4:0] raddr_a, raddr_b, waddr;
  logic [31:0] rdata_a, rdata_b, wdata;
  logic we;
  logic [IC_TAG_SIZE-1:0] no_tags[IC_NUM_WAYS];
  logic [IC_LINE_SIZE-1:0] no_lines[IC_NUM_WAYS];

  always_comb begin
    no_tags  = '{default: '0};
    no_lines = '{default: '0};
  end

  always_ff @(posedge clk) begin
    if (code_read) code <= code_word;
    if (data_read) data <= data_word;
    code_answers <= resetn & code_read;
    data_answers <= resetn & data_asks;
  end

  assign data_read  = data_asks & ~data_writes;
  assign data_write = data_asks & data_writes ? data_bytes : 4'b0;

  ibex_core #(
      .RV32M(RV32MFast),
      .MHPMCounterNum(0)
  ) core (
      .clk_i             (clk),
      .rst_ni            (resetn),
      .hart_id_i         (32'b0),
      .boot_addr_i       (32'b0),
      .instr_req_o       (code_read),
      .instr_gnt_i       (1'b1),
      .instr_rvalid_i    (code_answers),
      .instr_addr_o      (code_address),
      .instr_rdata_i     (code),
      .instr_err_i       (1'b0),
      .data_req_o        (data_asks),
      .data_gnt_i        (1'b1),
      .data_rvalid_i     (data_answers),
      .data_we_o         (data_writes),
      .data_be_o         (data_bytes),
      .data_addr_o       (data_address),
      .data_wdata_o      (data_to_write),
      .data_rdata_i      (data),
      .data_err_i        (1'b0),
      .dummy_instr_id_o  (),
      .dummy_instr_wb_o  (),
      .rf_raddr_a_o      (raddr_a),
      .rf_raddr_b_o      (raddr_b),
      .rf_waddr_wb_o     (waddr),
      .rf_we_wb_o        (we),
      .rf_wdata_wb_ecc_o (wdata),
      .rf_rdata_a_ecc_i  (rdata_a),
      .rf_rdata_b_ecc_i  (rdata_b),
      .ic_tag_req_o      (),
      .ic_tag_write_o    (),
      .ic_tag_addr_o     (),
      .ic_tag_wdata_o    (),
      .ic_tag_rdata_i    (no_tags),
      .ic_data_req_o     (),
      .ic_data_write_o   (),
      .ic_data_addr_o    (),
      .ic_data_wdata_o   (),
      .ic_data_rdata_i   (no_lines),
      .ic_scr_key_valid_i(1'b0),
      .ic_scr_key_req_o  (),
      .irq_software_i    (1'b0),
      .irq_timer_i       (1'b0),
      .irq_external_i    (1'b0),
      .irq_fast_i        (15'b0),
      .irq_nm_i          (1'b0),
      .irq_pending_o     (),
      .debug_req_i       (1'b0),
      .crash_dump_o      (),
      .double_fault_seen_o(),
      .fetch_enable_i    (IbexMuBiOn),
      .alert_minor_o     (),
      .alert_major_internal_o(),
      .alert_major_bus_o (),
      .core_busy_o       ()
  );

  ibex_register_file_ff #(
      .DataWidth(32)
  ) registers (
      .clk_i           (clk),
      .rst_ni          (resetn),
      .test_en_i       (1'b0),
      .dummy_instr_id_i(1'b0),
      .dummy_instr_wb_i(1'b0),
      .raddr_a_i       (raddr_a),
      .rdata_a_o       (rdata_a),
      .raddr_b_i       (raddr_b),
      .rdata_b_o       (rdata_b),
      .waddr_a_i       (waddr),
      .wdata_a_i       (wdata),
      .we_a_i          (we),
      .err_o           ()
  );

  assign begins = core.id_stage_i.instr_first_cycle & core.id_stage_i.instr_executing;
  assign pc = core.pc_id;
  assign sp = registers.rf_reg[Sp];
  assign register_word = registers.rf_reg[register_number];
  assign trapped = begins & pc < Start;

endmodule
