/* SPDX-License-Identifier: Apache-2.0 */
#include "air.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr size_t datagram_samples = 8192;
constexpr int look_again_ms = 50;
constexpr auto patience = std::chrono::seconds(10);

// In front of the samples of a datagram.
struct head {
  char sender[32];
  double rate;
  double frequency;
  uint32_t goes_on;
};

int made_socket() {
  const int made = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made < 0) {
    throw std::runtime_error("no socket for the air");
  }
  return made;
}

sockaddr_un address_of(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    throw std::runtime_error("the name of the air is too long: " + path);
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

bool try_to_send(int socket, const sockaddr_un &to,
                 const std::vector<char> &data) {
  return ::sendto(socket, data.data(), data.size(), MSG_DONTWAIT,
                  reinterpret_cast<const sockaddr *>(&to), sizeof to) >= 0;
}

// A receiver that takes nothing for long is passed over.
void send_to(int socket, const std::string &path,
             const std::vector<char> &data) {
  const sockaddr_un to = address_of(path);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!try_to_send(socket, to, data) &&
         (errno == EAGAIN || errno == ENOBUFS) &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace

air_sender::air_sender(std::string folder, std::string name)
    : d_folder(std::move(folder)), d_name(std::move(name)),
      d_socket(made_socket()) {}

air_sender::~air_sender() { ::close(d_socket); }

void air_sender::send(const piece &sent) const {
  std::vector<std::string> receivers;
  for (const auto &entry : fs::directory_iterator(d_folder)) {
    if (entry.path().extension() == ".rx" && entry.path().stem() != d_name) {
      receivers.push_back(entry.path());
    }
  }
  for (size_t from = 0; from < sent.samples.size(); from += datagram_samples) {
    const size_t count = std::min(datagram_samples, sent.samples.size() - from);
    const bool is_last = from + count == sent.samples.size();
    head first{{}, sent.rate, sent.frequency, !is_last || sent.goes_on};
    d_name.copy(first.sender, sizeof first.sender - 1);
    std::vector<char> data(sizeof first + count * sizeof(sample));
    std::memcpy(data.data(), &first, sizeof first);
    std::memcpy(data.data() + sizeof first, sent.samples.data() + from,
                count * sizeof(sample));
    for (const std::string &receiver : receivers) {
      send_to(d_socket, receiver, data);
    }
  }
}

air_receiver::air_receiver(const std::string &folder, const std::string &name)
    : d_path(folder + "/" + name + ".rx"), d_socket(made_socket()) {
  ::unlink(d_path.c_str());
  const sockaddr_un address = address_of(d_path);
  if (::bind(d_socket, reinterpret_cast<const sockaddr *>(&address),
             sizeof address) != 0) {
    ::close(d_socket);
    throw std::runtime_error("there is no air at " + folder);
  }
  d_thread = std::thread([this] { work(); });
}

air_receiver::~air_receiver() {
  d_runs = false;
  d_thread.join();
  ::unlink(d_path.c_str());
  ::close(d_socket);
}

void air_receiver::work() {
  piece got;
  while (d_runs) {
    pollfd waited{d_socket, POLLIN, 0};
    if (::poll(&waited, 1, look_again_ms) > 0 && read(got)) {
      const std::lock_guard<std::mutex> lock(d_mutex);
      d_waiting.push_back(std::move(got));
      d_changed.notify_all();
    }
  }
}

bool air_receiver::read(piece &got) const {
  std::vector<char> data(sizeof(head) + datagram_samples * sizeof(sample));
  const ssize_t size = ::recv(d_socket, data.data(), data.size(), MSG_DONTWAIT);
  if (size < static_cast<ssize_t>(sizeof(head))) {
    return false;
  }
  head first;
  std::memcpy(&first, data.data(), sizeof first);
  got = {first.sender, first.rate, first.frequency, first.goes_on != 0, {}};
  got.samples.resize((size - sizeof first) / sizeof(sample));
  std::memcpy(got.samples.data(), data.data() + sizeof first,
              got.samples.size() * sizeof(sample));
  return true;
}

bool air_receiver::receive(piece &got, int timeout_ms) {
  std::unique_lock<std::mutex> lock(d_mutex);
  const auto timeout = std::chrono::milliseconds(timeout_ms);
  if (!d_changed.wait_for(lock, timeout,
                          [this] { return !d_waiting.empty(); })) {
    return false;
  }
  got = std::move(d_waiting.front());
  d_waiting.pop_front();
  return true;
}
