// SPDX-License-Identifier: Apache-2.0
#include "Samara.h"

// Numbers of a record in the store: that many may be lost by a reset.
enum { sent_step = 16, received_step = 1 };

SamaraLink::SamaraLink(const samara_node_link &link, const SamaraMemory &place)
    : node_(), event_(), delivered_(0), ready_(false), error_(0) {
  node_.link = &link;
  node_.memory = place.memory;
  node_.first = place.first;
  node_.size = place.size;
  node_.step = sent_step;
  node_.receive_step = received_step;
}

bool SamaraLink::succeeded(int result) {
  error_ = result;
  return result == 0;
}

const char *SamaraLink::errorText() const {
  return error_ == SAMARA_LINK_NOT_READY
             ? "begin() was not called, or did not succeed"
             : samara_node_result_text(error_);
}

bool SamaraLink::provision(const uint8_t *record, size_t size) {
  ready_ = false;
  return succeeded(samara_node_adopt(&node_, record, size)) && begin();
}

bool SamaraLink::forget() {
  ready_ = false;
  return succeeded(samara_node_forget(&node_));
}

bool SamaraLink::begin() {
  return ready_ = succeeded(samara_node_open(&node_));
}

bool SamaraLink::send(const void *message, size_t size) {
  return isReady() && succeeded(samara_node_send(
                          &node_, static_cast<const uint8_t *>(message), size));
}

bool SamaraLink::sendConfirmed(const void *message, size_t size, uint32_t &id) {
  return isReady() &&
         succeeded(samara_node_send_confirmed(
             &node_, static_cast<const uint8_t *>(message), size, &id));
}

bool SamaraLink::acknowledge() {
  if (!isReady())
    return false;
  if (event_.wants_acknowledgement)
    event_.wants_acknowledgement =
        !succeeded(samara_node_acknowledge(&node_, &event_));
  return !event_.wants_acknowledgement;
}

// What is no new message is answered here: parts that are missing, and a
// message that was given out before.
bool SamaraLink::take(const uint8_t *bytes, size_t size) {
  size_t processed;
  if (!isReady() ||
      !succeeded(samara_node_receive(&node_, &event_, bytes, size, &processed)))
    return false;
  if (event_.kind == SAMARA_NODE_MESSAGE)
    return true;
  if (event_.kind == SAMARA_NODE_ACKNOWLEDGED && event_.status == 0)
    delivered_ = event_.id;
  acknowledge();
  return false;
}
