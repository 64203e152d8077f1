/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/node.h>

const char *samara_node_result_text(samara_node_result result) {
  switch (result) {
  case SAMARA_NODE_OK:
    return "done";
  case SAMARA_NODE_ERROR_RECORD:
    return "the provisioning record is damaged, or is for another cipher";
  case SAMARA_NODE_ERROR_ROOM:
    return "a buffer is too small, or a ring of the store is not valid";
  case SAMARA_NODE_ERROR_MESSAGE_SIZE:
    return "the message is too long";
  case SAMARA_NODE_ERROR_STORE:
    return "the store failed: see its own result";
  case SAMARA_NODE_ERROR_OUTPUT:
    return "the output did not take the bytes";
  case SAMARA_NODE_ERROR_PROVISIONED:
    return "the device was provisioned before: give it a new record and memory";
  case SAMARA_NODE_ERROR_CLOSED:
    return "the node is not open, or cannot receive";
  }
  return "not a result of a node";
}
