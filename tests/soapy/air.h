/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOFTWARE_RADIO_AIR_H
#define SOFTWARE_RADIO_AIR_H

#include <atomic>
#include <complex>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using sample = std::complex<float>;

// Samples on the air, as they left a sender. Rates and frequencies are those of
// the air: the error of the sender's crystal is in them.
struct piece {
  std::string sender;
  double rate;
  double frequency;
  bool goes_on; // the same transmission has more
  std::vector<sample> samples;
};

// The air is a directory: each receiver has a datagram socket in it, which all
// senders write to. Datagrams are not lost between local sockets: who sends too
// fast waits. A receiver takes them at once, into memory.
class air_sender {
public:
  air_sender(std::string folder, std::string name);
  ~air_sender();
  air_sender(const air_sender &) = delete;
  air_sender &operator=(const air_sender &) = delete;

  void send(const piece &sent) const;

private:
  const std::string d_folder;
  const std::string d_name;
  const int d_socket;
};

class air_receiver {
public:
  air_receiver(const std::string &folder, const std::string &name);
  ~air_receiver();
  air_receiver(const air_receiver &) = delete;
  air_receiver &operator=(const air_receiver &) = delete;

  // False when nothing has come within the time. \a timeout_ms may be 0.
  bool receive(piece &got, int timeout_ms);

private:
  void work();
  bool read(piece &got) const;

  const std::string d_path;
  const int d_socket;
  std::mutex d_mutex;
  std::condition_variable d_changed;
  std::deque<piece> d_waiting;
  std::atomic<bool> d_runs{true};
  std::thread d_thread;
};

#endif
