/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MEASURE_NODE_CALLS_H
#define MEASURE_NODE_CALLS_H

/* The calls of a node: set_up opens it after a reset, seal sends the second
 * message after that, open receives a message. Their numbers are reserved
 * already: what a record of a counter costs is measured by store.c.
 *
 * The file that includes it says what differs between the links: head_size of
 * the provisioning record, cells_size, unit_size_max, node_own (what such a
 * link needs in RAM), and the functions fit and write_head. */

#include "cells.h"
#include "common/crc32.h"

enum { key_size = 16, record_size = head_size + key_size + 4 };

enum { host, device };

struct {
  samara_node node;
  node_own own;
  uint8_t wire[unit_size_max];
  uint8_t buffer[unit_size_max];
  size_t sent;
} measure_state;

static bool write_wire(void *context, const uint8_t *bytes, size_t size) {
  (void)context, (void)bytes;
  measure_state.sent = size;
  return true;
}

/* Not on the stack: what looks for residue there must not find it. The buffer
 * of what is sent is not in use yet. */
static void make_record(const measure_job *job, uint8_t direction) {
  uint8_t *record = measure_state.wire;
  write_head(record, job, direction);
  samara_copy_bytes(record + head_size, job->key, key_size);
  samara_store32_le(record + record_size - 4,
                    ~samara_crc32(SAMARA_CRC32_BEGIN, record, record_size - 4));
}

/* A device that has its key, before its reset. */
static int provision(const measure_job *job, uint8_t direction) {
  erase_cells(job, cells_size);
  measure_state.node = (samara_node){.memory = &cells_memory,
                                     .size = cells_size,
                                     .step = 16,
                                     .receive_step = 16,
                                     .write = write_wire,
                                     .wire = measure_state.wire,
                                     .wire_size = unit_size_max,
                                     .buffer = measure_state.buffer,
                                     .buffer_size = unit_size_max};
  fit(&measure_state.node, &measure_state.own);
  make_record(job, direction);
  return samara_node_adopt(&measure_state.node, measure_state.wire,
                           record_size);
}

static int prepare(const measure_job *job, uint8_t direction) {
  const int result = provision(job, direction);
  return result == 0 ? samara_node_open(&measure_state.node) : result;
}

void measure_set_up(measure_job *job) {
  int result = provision(job, device);
  if (result != 0) {
    job->result = (uintptr_t)result;
    return;
  }
  MEASURE_START(set_up);
  result = samara_node_open(&measure_state.node);
  MEASURE_STOP(set_up);
  job->result = (uintptr_t)result;
}

void measure_seal(measure_job *job) {
  const uint8_t *message = job->input;
  const size_t size = job->input_size;
  int result = prepare(job, device);
  if (result == 0) {
    result = samara_node_send(&measure_state.node, message, 0);
  }
  if (result != 0) {
    job->result = (uintptr_t)result;
    return;
  }
  MEASURE_START(seal);
  result = samara_node_send(&measure_state.node, message, size);
  MEASURE_STOP(seal);
  samara_copy_bytes(job->output, measure_state.wire, measure_state.sent);
  job->result = (uintptr_t)result;
}

void measure_open(measure_job *job) {
  const uint8_t *unit = job->input;
  const size_t size = job->input_size;
  samara_node_event event;
  size_t processed;
  int result = prepare(job, host);
  if (result == 0) {
    result = samara_store_counter_pass(&measure_state.node.expected, 0);
  }
  if (result != 0) {
    job->result = (uintptr_t)result;
    return;
  }
  MEASURE_START(open);
  result =
      samara_node_receive(&measure_state.node, &event, unit, size, &processed);
  MEASURE_STOP(open);
  if (result == 0 && event.kind != SAMARA_NODE_MESSAGE) {
    result = SAMARA_ERROR_AUTHENTICATION;
  }
  job->result = (uintptr_t)result;
  if (result == 0) {
    samara_copy_bytes(job->output, event.message, event.message_size);
  }
}

#endif
