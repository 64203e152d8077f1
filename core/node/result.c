/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/node.h>

const char *samara_node_result_text(int result) {
  switch (result) {
  case SAMARA_NODE_ERROR_RECORD:
    return "the provisioning record is damaged, or of another format";
  case SAMARA_NODE_ERROR_SETTINGS:
    return "the settings of the node do not fit to each other or to the record";
  case SAMARA_NODE_ERROR_ADOPTED:
    return "the device has a key: take it away first";
  case SAMARA_NODE_ERROR_WRITE:
    return "the bytes could not be written to the modem";
  case SAMARA_NODE_ERROR_CLOSED:
    return "the node is not open: open it first";
  default:
    return result <= SAMARA_STORE_ERROR_BLANK
               ? samara_store_result_text((samara_store_result)result)
               : samara_result_text((samara_result)result);
  }
}
