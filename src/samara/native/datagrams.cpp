// SPDX-License-Identifier: Apache-2.0

// One datagram to many receivers, in one call of the kernel for many of them.

#include "bindings.h"
#include "call.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <sys/socket.h>
#include <sys/uio.h>

namespace samara::python {

namespace {

constexpr size_t at_once_max = 64;

using Address = std::array<uint8_t, sizeof(sockaddr_storage)>;
using Addresses = nb::typed<nb::list, nb::bytes>;
using Indexes = nb::typed<nb::list, size_t>;

struct Receiver {
  alignas(sockaddr_storage) Address address{};
  socklen_t size = 0;
};

std::vector<Receiver> receivers_of(const nb::list &addresses) {
  std::vector<Receiver> receivers(addresses.size());
  for (size_t i = 0; i < receivers.size(); i++) {
    const Buffer address(addresses[i], "address");
    if (address.size() < sizeof(sa_family_t) ||
        address.size() > receivers[i].address.size()) {
      raise_value_error("an address is a structure of the system's sockets");
    }
    std::memcpy(receivers[i].address.data(), address.data(), address.size());
    receivers[i].size = static_cast<socklen_t>(address.size());
  }
  return receivers;
}

msghdr message_to(Receiver &receiver, iovec &contents) {
  msghdr message{};
  message.msg_name = receiver.address.data();
  message.msg_namelen = receiver.size;
  message.msg_iov = &contents;
  message.msg_iovlen = 1;
  return message;
}

// How many of the next receivers the kernel took it for; at least the first
// was refused when it is 0.
size_t sent_to(int descriptor, Receiver *receivers, size_t count,
               iovec &contents) {
#if defined(__linux__)
  std::array<mmsghdr, at_once_max> messages{};
  count = std::min(count, messages.size());
  for (size_t i = 0; i < count; i++) {
    messages[i].msg_hdr = message_to(receivers[i], contents);
  }
  const int taken = sendmmsg(descriptor, messages.data(),
                             static_cast<unsigned>(count), MSG_DONTWAIT);
  return taken < 0 ? 0 : static_cast<size_t>(taken);
#else
  (void)count;
  const msghdr message = message_to(*receivers, contents);
  return sendmsg(descriptor, &message, MSG_DONTWAIT) < 0 ? 0 : 1;
#endif
}

// The indexes of those for which the kernel refused it twice: the first error
// may be about a datagram of before, whose receiver has gone.
std::vector<size_t> refused(int descriptor, std::vector<Receiver> &receivers,
                            iovec &contents) {
  std::vector<size_t> found;
  bool was_refused = false;
  for (size_t next = 0; next < receivers.size();) {
    const size_t sent = sent_to(descriptor, receivers.data() + next,
                                receivers.size() - next, contents);
    if (sent == 0 && was_refused) {
      found.push_back(next++);
    }
    was_refused = sent == 0 && !was_refused;
    next += sent;
  }
  return found;
}

Indexes send_datagram(int descriptor, BytesLike datagram,
                      const Addresses &addresses) {
  const Buffer bytes(datagram, "datagram");
  std::vector<Receiver> receivers = receivers_of(addresses);
  // The kernel's interface has one type for what is read and what is written.
  iovec contents{const_cast<uint8_t *>(bytes.data()), bytes.size()};
  std::vector<size_t> found;
  {
    const nb::gil_scoped_release release;
    found = refused(descriptor, receivers, contents);
  }
  Indexes indexes;
  for (const size_t index : found) {
    indexes.append(index);
  }
  return indexes;
}

} // namespace

void bind_datagrams(nb::module_ &module) {
  module.def("send_datagram", &send_datagram, nb::arg("descriptor"),
             bytes_argument("datagram"), nb::arg("addresses"),
             "Send a datagram from a socket to many addresses.\n\n"
             "An address is the system's structure of it. Nothing is waited "
             "for. Returns the\nindexes of those to which it could not be "
             "sent.");
}

} // namespace samara::python
