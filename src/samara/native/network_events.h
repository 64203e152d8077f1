// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_NETWORK_EVENTS_H
#define SAMARA_PYTHON_NETWORK_EVENTS_H

// A network that collects messages at a sink, event by event: queues, a shared
// medium, losses, Trickle. It counts what each node does; what that takes of a
// battery is Python's matter (samara.energy.events, which has the assumptions).

#include <array>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

#include "fifo.h"
#include "node_lists.h"

namespace samara::python {

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
  std::vector<double> cell_s;       // by Frame: what it takes of the schedules
                                    // of both ends; 0: there is none
  bool cell_takes_sender = true;    // or its receiver alone
  bool acknowledges = true;         // or each message is sent once
  bool shares_medium = true;        // within two hops
  // Data that is sent without listening first: how long a copy is on the air, 0
  // where others are listened for; the time from one copy to the next; their
  // number; the frequencies that the sink receives at once.
  double air_s = 0;
  double air_period_s = 0;
  uint32_t air_copies = 1;
  uint32_t frequencies = 1;
  double interval_s = 0; // of the messages of each node
  // How many a node makes in each interval, and DAO in each of theirs: those of
  // nodes behind it that are not told. The sink's is not used. Empty: one.
  std::vector<uint32_t> messages;
  double dao_interval_s = 0;     // 0: no routing
  double trickle_interval_s = 0; // the longest, in which the network rests
  uint32_t redundancy = 0;       // of Trickle
  size_t queue_max = 0;          // frames that wait in each node
  size_t log_max = 0;            // transmissions that are logged at a time
  uint64_t seed = 0;
};

// What became of a transmission.
enum class Fate : uint8_t { kLost, kArrived, kAcknowledged, kBroadcast };

// When a transmission ended, who sent it to whom, the Frame, and its Fate.
using LoggedHop = std::tuple<double, NodeNumber, NodeNumber, uint8_t, uint8_t>;

class NetworkEvents {
public:
  // Raises ValueError when sizes differ, a node is not there, or a time or a
  // share is not possible.
  explicit NetworkEvents(NetworkPlan plan);
  NetworkEvents(const NetworkEvents &) = delete; // lanes point into it
  NetworkEvents &operator=(const NetworkEvents &) = delete;

  // Handles all events before this time.
  void advance(double until_s);

  // A list for each Count, of one for each Frame, of a number for each node.
  std::vector<std::vector<std::vector<uint64_t>>> counts() const;

  uint64_t made() const { return made_; }
  uint64_t delivered() const { return delivered_; }
  uint64_t lost() const { return lost_; }
  uint64_t collided() const { return collided_; }
  uint64_t lost_on_links() const { return lost_on_links_; }
  uint64_t events() const { return events_; }
  double latency_sum_s() const { return latency_sum_s_; }
  uint64_t waiting() const;

  // The transmissions since the last call, the first log_max of them.
  std::vector<LoggedHop> take_log();

private:
  // What happens a fixed time after something else comes first: see lanes_.
  enum class Kind : uint8_t {
    kMediumFree,
    kNodeFree,
    kCellEnds,
    kArrives,
    kCopyBegins,
    kDataMade,
    kDaoMade,
    kTrickleSends,
    kTrickleEnds
  };

  struct Event {
    double time_s;
    uint64_t order; // of what happens at the same time, the older is first
    Kind kind;
    Frame frame; // of those in lanes
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

  // What each event touches is in front: it shares a line of a cache.
  struct Node {
    Fifo<Waiting> queue;
    uint32_t heard = 0;        // DIO in this Trickle interval
    uint32_t copies_begun = 0; // of the first of the queue
    uint32_t copies_met = 0;
    bool is_busy = false;
    bool is_in_cell = false;   // its radio is in a cell that is taken
    bool is_held_up = false;   // it is among those of its parent
    bool is_repeated = false;  // the first of the queue was sent before
    bool was_received = false; // and the parent has it
    bool is_met = false;       // its copy on the air, by another's
    // What others hear is not among them: counts() has it from what is sent.
    std::array<std::array<uint64_t, kFrames>, kCounts> counts{};
    double next_data_interval_s = 0;
    double next_dao_interval_s = 0;
    std::vector<NodeNumber> held_up; // children that wait for its radio
  };

  // A lane that has had events, with its first one's time and order: to find
  // the next event, lanes are not looked into.
  struct UsedLane {
    double time_s; // infinite while it is empty
    uint64_t order;
    Fifo<Event> *lane;
    void look();
  };

  // The copy at a frequency that ends last.
  struct OnAir {
    double ends_s = 0;
    NodeNumber node = 0;
  };

  // Which slice of time something is in: later things are never in earlier
  // slices, whatever is rounded.
  uint64_t slice_of(double time_s) const {
    return static_cast<uint64_t>(time_s * slices_per_s_);
  }
  void plan_slices();
  void plan(const Event &event);
  void open_slice();

  double draw();
  bool happens(double share);
  void at(double time_s, Kind kind, NodeNumber node);
  void after(double delay_s, Kind kind, Frame frame, NodeNumber node);
  UsedLane *next_lane();
  void handle(const Event &event);
  void make(NodeNumber node, Frame frame);
  void plan_first(NodeNumber node, bool routes);
  void plan_next(NodeNumber node, Frame frame);
  double interval_of(NodeNumber node, Frame frame) const;
  void enqueue(NodeNumber node, Waiting waiting);
  void try_to_send(NodeNumber node);
  bool takes_cell(NodeNumber node, Frame frame);
  void begin_copy(NodeNumber node);
  void meet(NodeNumber node);
  bool has_collided(NodeNumber node, Frame frame) const;
  void end_of_cell(NodeNumber node);
  void next_in_cell(NodeNumber node);
  void log(NodeNumber node, NodeNumber to, Frame frame, Fate fate);
  bool senses_others(NodeNumber node) const;
  void begin_or_end(NodeNumber node, int change);
  void end_of_frame(NodeNumber node);
  void find_candidates(NodeNumber node);
  void was_broadcast(NodeNumber node);
  void was_sent(NodeNumber node, Waiting waiting);
  void is_over(NodeNumber node);
  void hand_over(NodeNumber node, Waiting waiting);
  void arrives(NodeNumber node, Frame frame);
  void arrive(NodeNumber node, Waiting waiting, double time_s);
  void new_trickle_interval(NodeNumber node, double began_s);
  void find_reach();
  std::vector<NodeNumber> within_two_hops(NodeNumber node) const;

  NetworkPlan plan_;
  std::vector<Node> nodes_;
  // What is up to the end of the present slice. What is later waits in slices,
  // a ring of them, in any order: so the heap is small, and fits into caches.
  // What is later than all of the ring waits in its last slice, for its turn.
  std::priority_queue<Event, std::vector<Event>, std::greater<>> heap_;
  std::vector<std::vector<Event>> slices_;
  uint64_t slice_ = 0;
  double slices_per_s_ = 0;
  size_t in_slices_ = 0;
  // By Kind and Frame. What comes a fixed time later comes in the order in
  // which it was planned, and needs no heap.
  std::array<Fifo<Event>, 5 * kFrames> lanes_;
  std::vector<UsedLane> used_lanes_;
  // To parents, by Frame: in the order in which their lane lets them arrive.
  std::array<Fifo<Waiting>, kFrames> on_the_way_;
  NodeLists near_; // the neighbours of each node
  // Who senses a node; leaves of one parent share a list. Empty without
  // sharing.
  NodeLists reach_;
  std::vector<uint32_t> senders_near_; // of each node: it, or a neighbour
  std::vector<uint8_t> is_waiting_;    // its queue is not empty
  std::mt19937_64 generator_;
  std::vector<NodeNumber> candidates_;
  std::vector<LoggedHop> log_;
  std::vector<OnAir> on_air_; // by frequency
  double now_s_ = 0;
  double latency_sum_s_ = 0;
  uint64_t events_ = 0;
  uint64_t made_ = 0;
  uint64_t delivered_ = 0;
  uint64_t lost_ = 0;
  uint64_t collided_ = 0;
  uint64_t lost_on_links_ = 0;
};

} // namespace samara::python

#endif
