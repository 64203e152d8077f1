// SPDX-License-Identifier: Apache-2.0

#include "network_events.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace samara::python {

namespace {

constexpr NodeNumber kSink = 0;

void require(bool fulfilled, const char *text) {
  if (!fulfilled) {
    throw std::invalid_argument(text);
  }
}

bool are_shares(const std::vector<double> &values) {
  return std::all_of(values.begin() + 1, values.end(),
                     [](double value) { return value > 0 && value <= 1; });
}

bool are_times(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](double value) {
    return value > 0 && std::isfinite(value);
  });
}

void check(const NetworkPlan &plan) {
  const size_t count = plan.parents.size();
  require(count >= 2 && count <= UINT32_MAX, "a network has a sink and a node");
  require(plan.neighbours.size() == count && plan.delivery.size() == count &&
              plan.ack_delivery.size() == count,
          "parents, neighbours and shares are told for the same nodes");
  require(plan.medium_s.size() == kFrames && plan.service_s.size() == kFrames &&
              plan.arrival_s.size() == kFrames,
          "times are told for data, DIO and DAO");
  for (size_t node = 1; node < count; node++) {
    require(plan.parents[node] < count && plan.parents[node] != node,
            "a parent is another node of the network");
  }
  for (const auto &near : plan.neighbours) {
    require(std::all_of(near.begin(), near.end(),
                        [count](NodeNumber other) { return other < count; }),
            "a neighbour is a node of the network");
  }
  require(are_shares(plan.delivery) && are_shares(plan.ack_delivery),
          "a share is above 0, up to 1");
  require(are_times(plan.medium_s) && are_times(plan.service_s) &&
              are_times(plan.arrival_s) && are_times({plan.interval_s}),
          "a time is above 0 seconds, and finite");
  require(plan.dao_interval_s == 0 ||
              are_times({plan.dao_interval_s, plan.trickle_interval_s}),
          "an interval of routing is above 0 seconds, and finite");
  require(plan.queue_max > 0, "a queue has room for a frame");
}

} // namespace

NetworkEvents::NetworkEvents(NetworkPlan plan)
    : plan_(std::move(plan)), generator_(plan_.seed) {
  check(plan_);
  nodes_.resize(plan_.parents.size());
  for (NodeNumber node = 0; node < nodes_.size(); node++) {
    if (plan_.shares_medium) {
      nodes_[node].reach = within_two_hops(node);
    }
  }
  const bool routes = plan_.dao_interval_s > 0;
  for (NodeNumber node = 0; node < nodes_.size(); node++) {
    if (node != kSink) {
      plan_first(node, routes);
    }
    if (routes) { // the sink too: DIO come from it
      new_trickle_interval(node, -draw() * plan_.trickle_interval_s);
    }
  }
}

void NetworkEvents::plan_first(NodeNumber node, bool routes) {
  plan_next(node, kData);
  if (routes) {
    plan_next(node, kDao);
  }
}

std::vector<NodeNumber> NetworkEvents::within_two_hops(NodeNumber node) const {
  std::vector<NodeNumber> reach{node};
  for (NodeNumber near : plan_.neighbours[node]) {
    reach.push_back(near);
    const auto &next = plan_.neighbours[near];
    reach.insert(reach.end(), next.begin(), next.end());
  }
  std::sort(reach.begin(), reach.end());
  reach.erase(std::unique(reach.begin(), reach.end()), reach.end());
  return reach;
}

// Evenly from 0 up to, and without, 1.
double NetworkEvents::draw() {
  return static_cast<double>(generator_() >> 11) * 0x1p-53;
}

void NetworkEvents::at(double time_s, Kind kind, NodeNumber node) {
  heap_.push({time_s, events_++, kind, node});
}

void NetworkEvents::advance(double until_s) {
  while (!heap_.empty() && heap_.top().time_s < until_s) {
    const Event event = heap_.top();
    heap_.pop();
    now_s_ = event.time_s;
    handle(event);
  }
}

void NetworkEvents::handle(const Event &event) {
  Node &node = nodes_[event.node];
  switch (event.kind) {
  case Kind::kDataMade:
    made_++;
    make(event.node, kData);
    break;
  case Kind::kDaoMade:
    make(event.node, kDao);
    break;
  case Kind::kTrickleSends:
    if (node.heard < plan_.redundancy) {
      enqueue(event.node, {now_s_, kDio});
    }
    break;
  case Kind::kTrickleEnds:
    new_trickle_interval(event.node, now_s_);
    break;
  case Kind::kMediumFree:
    end_of_frame(event.node);
    break;
  case Kind::kNodeFree:
    node.is_busy = false;
    try_to_send(event.node);
    break;
  case Kind::kDataArrives:
    arrives(event.node, kData);
    break;
  case Kind::kDaoArrives:
    arrives(event.node, kDao);
    break;
  }
}

void NetworkEvents::make(NodeNumber node, Frame frame) {
  plan_next(node, frame);
  enqueue(node, {now_s_, frame});
}

// One message in each interval, at any time in it.
void NetworkEvents::plan_next(NodeNumber node, Frame frame) {
  const bool is_data = frame == kData;
  const double length_s = is_data ? plan_.interval_s : plan_.dao_interval_s;
  double &begins_s = is_data ? nodes_[node].next_data_interval_s
                             : nodes_[node].next_dao_interval_s;
  at(begins_s + draw() * length_s, is_data ? Kind::kDataMade : Kind::kDaoMade,
     node);
  begins_s += length_s;
}

void NetworkEvents::enqueue(NodeNumber node, Waiting waiting) {
  if (nodes_[node].queue.size() >= plan_.queue_max) {
    lost_++;
    return;
  }
  nodes_[node].queue.push_back(waiting);
  try_to_send(node);
}

void NetworkEvents::try_to_send(NodeNumber node) {
  Node &sender = nodes_[node];
  if (sender.is_busy || sender.senders_in_reach || sender.queue.empty()) {
    return;
  }
  sender.is_busy = true;
  const Frame frame = sender.queue.front().frame;
  for (NodeNumber other : sender.reach) {
    nodes_[other].senders_in_reach++;
  }
  at(now_s_ + plan_.medium_s[frame], Kind::kMediumFree, node);
  if (plan_.service_s[frame] > plan_.medium_s[frame]) {
    at(now_s_ + plan_.service_s[frame], Kind::kNodeFree, node);
  }
}

void NetworkEvents::end_of_frame(NodeNumber node) {
  const Waiting waiting = nodes_[node].queue.front();
  if (waiting.frame == kDio) {
    was_broadcast(node);
  } else {
    was_sent(node, waiting);
  }
  if (plan_.service_s[waiting.frame] <= plan_.medium_s[waiting.frame]) {
    nodes_[node].is_busy = false;
  }
  candidates_.clear();
  for (NodeNumber other : nodes_[node].reach) {
    nodes_[other].senders_in_reach--;
    if (!nodes_[other].queue.empty()) {
      candidates_.push_back(other);
    }
  }
  // Of those that wait, any may be first: each is drawn from the rest.
  for (size_t left = candidates_.size(); left > 0; left--) {
    const auto drawn = static_cast<size_t>(draw() * static_cast<double>(left));
    std::swap(candidates_[drawn], candidates_[left - 1]);
    try_to_send(candidates_[left - 1]);
  }
  // Where nobody shares the medium, nobody is in reach, not even itself.
  try_to_send(node);
}

void NetworkEvents::was_broadcast(NodeNumber node) {
  nodes_[node].queue.pop_front();
  nodes_[node].counts[kSent][kDio]++;
  nodes_[node].counts[kFirstSent][kDio]++;
  for (NodeNumber other : plan_.neighbours[node]) {
    nodes_[other].counts[kReceived][kDio]++;
    nodes_[other].counts[kFirstReceived][kDio]++;
    nodes_[other].heard++;
  }
}

void NetworkEvents::was_sent(NodeNumber node, Waiting waiting) {
  Node &sender = nodes_[node];
  const NodeNumber parent = plan_.parents[node];
  sender.counts[kSent][waiting.frame]++;
  sender.counts[kFirstSent][waiting.frame] += !sender.is_repeated;
  for (NodeNumber other : plan_.neighbours[node]) {
    nodes_[other].counts[kOverheard][waiting.frame] += other != parent;
  }
  const bool arrives = draw() < plan_.delivery[node];
  const bool is_first = arrives && !sender.was_received;
  nodes_[parent].counts[kReceived][waiting.frame] += arrives;
  nodes_[parent].counts[kFirstReceived][waiting.frame] += is_first;
  if (arrives && draw() < plan_.ack_delivery[node]) {
    sender.queue.pop_front();
    sender.is_repeated = sender.was_received = false;
  } else {
    sender.is_repeated = true;
    sender.was_received = sender.was_received || arrives;
  }
  if (is_first) {
    hand_over(node, waiting);
  }
}

// A cell or an event that is still to come makes a frame arrive after the time
// that it takes of the medium. Where a sender goes on after it was received,
// its parent can pass it on only when the medium is free.
void NetworkEvents::hand_over(NodeNumber node, Waiting waiting) {
  const double later_s =
      plan_.arrival_s[waiting.frame] - plan_.medium_s[waiting.frame];
  if (later_s <= 0) {
    arrive(plan_.parents[node], waiting, now_s_ + later_s);
    return;
  }
  // Of one kind, what is sent first arrives first.
  nodes_[node].on_the_way[waiting.frame].push_back(waiting);
  at(now_s_ + later_s,
     waiting.frame == kData ? Kind::kDataArrives : Kind::kDaoArrives, node);
}

void NetworkEvents::arrives(NodeNumber node, Frame frame) {
  auto &on_the_way = nodes_[node].on_the_way[frame];
  const Waiting waiting = on_the_way.front();
  on_the_way.pop_front();
  arrive(plan_.parents[node], waiting, now_s_);
}

void NetworkEvents::arrive(NodeNumber node, Waiting waiting, double time_s) {
  if (node != kSink) {
    enqueue(node, waiting);
  } else if (waiting.frame == kData) {
    delivered_++;
    latency_sum_s_ += time_s - waiting.made_s;
  }
}

// RFC 6206, 4.2: a node sends in the second half of each interval, unless it
// has heard enough others in it before.
void NetworkEvents::new_trickle_interval(NodeNumber node, double began_s) {
  const double length_s = plan_.trickle_interval_s;
  nodes_[node].heard = 0;
  const double sends_s = began_s + length_s * (0.5 + draw() / 2);
  if (sends_s >= now_s_) {
    at(sends_s, Kind::kTrickleSends, node);
  }
  at(began_s + length_s, Kind::kTrickleEnds, node);
}

std::vector<std::vector<std::vector<uint64_t>>> NetworkEvents::counts() const {
  std::vector<std::vector<std::vector<uint64_t>>> found(
      kCounts, std::vector<std::vector<uint64_t>>(kFrames));
  for (const Node &node : nodes_) {
    for (size_t count = 0; count < kCounts; count++) {
      for (size_t frame = 0; frame < kFrames; frame++) {
        found[count][frame].push_back(node.counts[count][frame]);
      }
    }
  }
  return found;
}

uint64_t NetworkEvents::waiting() const {
  uint64_t total = 0;
  for (const Node &node : nodes_) {
    total += node.queue.size();
    for (const auto &on_the_way : node.on_the_way) {
      total += on_the_way.size();
    }
  }
  return total;
}

void bind_network_events(nb::module_ &module) {
  nb::class_<NetworkEvents>(
      module, "NetworkEvents",
      "A network that collects messages at a sink, event by event. Times are\n"
      "in seconds; node 0 is the sink. samara.energy.events has the model.")
      .def(
          "__init__",
          [](NetworkEvents *self, std::vector<NodeNumber> parents,
             std::vector<std::vector<NodeNumber>> neighbours,
             std::vector<double> delivery, std::vector<double> ack_delivery,
             std::vector<double> medium_s, std::vector<double> service_s,
             std::vector<double> arrival_s, bool shares_medium,
             double interval_s, double dao_interval_s,
             double trickle_interval_s, uint32_t redundancy, size_t queue_max,
             uint64_t seed) {
            new (self) NetworkEvents(
                {std::move(parents), std::move(neighbours), std::move(delivery),
                 std::move(ack_delivery), std::move(medium_s),
                 std::move(service_s), std::move(arrival_s), shares_medium,
                 interval_s, dao_interval_s, trickle_interval_s, redundancy,
                 queue_max, seed});
          },
          nb::kw_only(), nb::arg("parents"), nb::arg("neighbours"),
          nb::arg("delivery"), nb::arg("ack_delivery"), nb::arg("medium_s"),
          nb::arg("service_s"), nb::arg("arrival_s"), nb::arg("shares_medium"),
          nb::arg("interval_s"), nb::arg("dao_interval_s"),
          nb::arg("trickle_interval_s"), nb::arg("redundancy"),
          nb::arg("queue_max"), nb::arg("seed"),
          "ValueError when sizes differ, a node is not there, or a time or a\n"
          "share is not possible. With a dao_interval_s of 0, nothing routes.")
      .def("advance", &NetworkEvents::advance, nb::arg("until_s"),
           "Handle all events before this time.")
      .def("counts", &NetworkEvents::counts,
           "Return how often each node sent, sent first, received, received\n"
           "first and overheard: lists for data, DIO and DAO, by node.")
      .def_prop_ro("made", &NetworkEvents::made, "Messages of nodes.")
      .def_prop_ro("delivered", &NetworkEvents::delivered,
                   "Messages that reached the sink.")
      .def_prop_ro("lost", &NetworkEvents::lost,
                   "Frames that found no room in a queue.")
      .def_prop_ro("waiting", &NetworkEvents::waiting,
                   "Frames in queues, or on the way.")
      .def_prop_ro("latency_sum_s", &NetworkEvents::latency_sum_s,
                   "Of all messages that reached the sink.")
      .def_prop_ro("events", &NetworkEvents::events, "Events so far.");
}

} // namespace samara::python
