// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_NETWORK_EVENTS_H
#define SAMARA_PYTHON_NETWORK_EVENTS_H

// A network that collects messages at a sink, event by event: queues, a shared
// medium, losses, Trickle. It counts what each node does; what that takes of a
// battery is Python's matter (samara.energy.events, which has the assumptions).

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <random>
#include <vector>

namespace samara::python {

using NodeNumber = uint32_t;

enum Frame : uint8_t { kData, kDio, kDao, kFrames };

// What is counted for each node and kind of frame. First: the first time that a
// message is sent, or received.
enum Count : uint8_t {
  kSent,
  kFirstSent,
  kReceived,
  kFirstReceived,
  kOverheard,
  kCounts
};

struct NetworkPlan {
  // Node 0 is the sink; what is said of it in the first four is not used.
  std::vector<NodeNumber> parents;
  std::vector<std::vector<NodeNumber>> neighbours;
  std::vector<double> delivery;     // share of frames that arrive
  std::vector<double> ack_delivery; // share of acknowledgements that arrive
  std::vector<double> medium_s;     // by Frame: how long the medium is taken
  std::vector<double> service_s;    // by Frame: until the node may send again
  std::vector<double> arrival_s;    // by Frame: until the other end has it
  bool shares_medium = true;        // within two hops
  double interval_s = 0;            // of the messages of each node
  double dao_interval_s = 0;        // 0: no routing
  double trickle_interval_s = 0;    // the longest, in which the network rests
  uint32_t redundancy = 0;          // of Trickle
  size_t queue_max = 0;             // frames that wait in each node
  uint64_t seed = 0;
};

class NetworkEvents {
public:
  // Raises ValueError when sizes differ, a node is not there, or a time or a
  // share is not possible.
  explicit NetworkEvents(NetworkPlan plan);

  // Handles all events before this time.
  void advance(double until_s);

  // A list for each Count, of one for each Frame, of a number for each node.
  std::vector<std::vector<std::vector<uint64_t>>> counts() const;

  uint64_t made() const { return made_; }
  uint64_t delivered() const { return delivered_; }
  uint64_t lost() const { return lost_; }
  uint64_t events() const { return events_; }
  double latency_sum_s() const { return latency_sum_s_; }
  uint64_t waiting() const;

private:
  enum class Kind : uint8_t {
    kDataMade,
    kDaoMade,
    kTrickleSends,
    kTrickleEnds,
    kMediumFree,
    kNodeFree,
    kDataArrives,
    kDaoArrives
  };

  struct Event {
    double time_s;
    uint64_t order; // of what happens at the same time, the older is first
    Kind kind;
    NodeNumber node;
    bool operator>(const Event &other) const {
      return time_s != other.time_s ? time_s > other.time_s
                                    : order > other.order;
    }
  };

  struct Waiting {
    double made_s;
    Frame frame;
  };

  struct Node {
    std::deque<Waiting> queue;
    std::array<std::deque<Waiting>, kFrames> on_the_way; // to its parent
    std::vector<NodeNumber> reach; // who senses it; nobody without sharing
    uint32_t senders_in_reach = 0;
    uint32_t heard = 0; // DIO in this Trickle interval
    double next_data_interval_s = 0;
    double next_dao_interval_s = 0;
    bool is_busy = false;
    bool is_repeated = false;  // the first of the queue was sent before
    bool was_received = false; // and the parent has it
    std::array<std::array<uint64_t, kFrames>, kCounts> counts{};
  };

  double draw();
  void at(double time_s, Kind kind, NodeNumber node);
  void handle(const Event &event);
  void make(NodeNumber node, Frame frame);
  void plan_first(NodeNumber node, bool routes);
  void plan_next(NodeNumber node, Frame frame);
  void enqueue(NodeNumber node, Waiting waiting);
  void try_to_send(NodeNumber node);
  void end_of_frame(NodeNumber node);
  void was_broadcast(NodeNumber node);
  void was_sent(NodeNumber node, Waiting waiting);
  void hand_over(NodeNumber node, Waiting waiting);
  void arrives(NodeNumber node, Frame frame);
  void arrive(NodeNumber node, Waiting waiting, double time_s);
  void new_trickle_interval(NodeNumber node, double began_s);
  std::vector<NodeNumber> within_two_hops(NodeNumber node) const;

  NetworkPlan plan_;
  std::vector<Node> nodes_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> heap_;
  std::mt19937_64 generator_;
  std::vector<NodeNumber> candidates_;
  double now_s_ = 0;
  double latency_sum_s_ = 0;
  uint64_t events_ = 0;
  uint64_t made_ = 0;
  uint64_t delivered_ = 0;
  uint64_t lost_ = 0;
};

} // namespace samara::python

#endif
