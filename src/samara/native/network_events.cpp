// SPDX-License-Identifier: Apache-2.0

#include "network_events.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace samara::python {

namespace {

constexpr NodeNumber kSink = 0;
constexpr size_t kSlicesLeast = 16;
constexpr size_t kSlicesMost = 8192;
constexpr size_t kNodesInSlice = 8;

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

void check_copies(const NetworkPlan &plan) {
  require(are_times({plan.air_s}) && plan.air_copies > 0 &&
              plan.frequencies > 0,
          "copies are on the air for a time, and at a frequency");
  const double all_s = (plan.air_copies - 1) * plan.air_period_s + plan.air_s;
  require(plan.air_copies == 1 || plan.air_period_s > plan.air_s,
          "a copy begins after the one before");
  require(plan.medium_s[kData] >= all_s * (1 - 1e-9),
          "a frame takes the time of its copies");
  require(std::all_of(plan.parents.begin(), plan.parents.end(),
                      [](NodeNumber parent) { return parent == kSink; }),
          "who does not listen first sends to the sink");
}

void check(const NetworkPlan &plan) {
  const size_t count = plan.parents.size();
  require(count >= 2 && count <= UINT32_MAX, "a network has a sink and a node");
  require(plan.neighbours.size() == count && plan.delivery.size() == count &&
              plan.ack_delivery.size() == count,
          "parents, neighbours and shares are told for the same nodes");
  require(plan.medium_s.size() == kFrames && plan.service_s.size() == kFrames &&
              plan.arrival_s.size() == kFrames && plan.cell_s.size() == kFrames,
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
  require(are_times(plan.cell_s) || plan.cell_s == std::vector<double>(kFrames),
          "a cell takes no time for any frame, or some for each");
  require(plan.dao_interval_s == 0 ||
              are_times({plan.dao_interval_s, plan.trickle_interval_s}),
          "an interval of routing is above 0 seconds, and finite");
  require(plan.messages.empty() || plan.messages.size() == count,
          "messages are told for the same nodes");
  require(std::all_of(plan.messages.begin(), plan.messages.end(),
                      [](uint32_t messages) { return messages > 0; }),
          "a node makes a message in each interval");
  require(plan.queue_max > 0, "a queue has room for a frame");
  if (plan.air_s != 0) {
    check_copies(plan);
  }
}

} // namespace

NetworkEvents::NetworkEvents(NetworkPlan plan)
    : plan_(std::move(plan)), generator_(plan_.seed) {
  check(plan_);
  nodes_.resize(plan_.parents.size());
  on_air_.resize(plan_.frequencies);
  is_waiting_.resize(nodes_.size());
  plan_slices();
  for (const auto &near : std::exchange(plan_.neighbours, {})) {
    near_.add(near);
  }
  if (plan_.shares_medium) {
    senders_near_.resize(nodes_.size());
    find_reach();
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

// A node has run for long: its intervals begin at any time. What it made before
// the simulation is over.
void NetworkEvents::plan_first(NodeNumber node, bool routes) {
  nodes_[node].next_data_interval_s = -draw() * interval_of(node, kData);
  plan_next(node, kData);
  if (routes) {
    nodes_[node].next_dao_interval_s = -draw() * interval_of(node, kDao);
    plan_next(node, kDao);
  }
}

// A node with one neighbour senses whom all others with this neighbour sense:
// a star has one list, not one for each of its nodes.
void NetworkEvents::find_reach() {
  constexpr NodeNumber kNone = UINT32_MAX;
  std::vector<NodeNumber> leaf_of(nodes_.size(), kNone);
  for (NodeNumber node = 0; node < nodes_.size(); node++) {
    const NodeLists::List near = near_[node];
    const bool is_leaf = near.size() == 1;
    if (is_leaf && leaf_of[near[0]] != kNone) {
      reach_.add_same(leaf_of[near[0]]);
      continue;
    }
    if (is_leaf) {
      leaf_of[near[0]] = node;
    }
    reach_.add(within_two_hops(node));
  }
}

std::vector<NodeNumber> NetworkEvents::within_two_hops(NodeNumber node) const {
  std::vector<NodeNumber> reach{node};
  for (NodeNumber near : near_[node]) {
    reach.push_back(near);
    const NodeLists::List next = near_[near];
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

bool NetworkEvents::happens(double share) {
  return share >= 1 || draw() < share;
}

// The ring is as long as the longest time to what is planned.
void NetworkEvents::plan_slices() {
  const double longest_s =
      2 * std::max({plan_.interval_s, plan_.dao_interval_s,
                    plan_.dao_interval_s > 0 ? plan_.trickle_interval_s : 0});
  slices_.resize(
      std::clamp(nodes_.size() / kNodesInSlice, kSlicesLeast, kSlicesMost));
  slices_per_s_ = static_cast<double>(slices_.size() - 1) / longest_s;
}

void NetworkEvents::at(double time_s, Kind kind, NodeNumber node) {
  plan({time_s, events_++, kind, kData, node});
}

void NetworkEvents::plan(const Event &event) {
  const uint64_t slice = slice_of(event.time_s);
  if (slice <= slice_) {
    heap_.push(event);
    return;
  }
  const uint64_t last = slice_ + slices_.size() - 1;
  slices_[std::min(slice, last) % slices_.size()].push_back(event);
  in_slices_++;
}

// All of the next slice is planned again: what is not up to its end waits on.
void NetworkEvents::open_slice() {
  std::vector<Event> &opened = slices_[++slice_ % slices_.size()];
  in_slices_ -= opened.size();
  for (const Event &event : opened) { // none of them comes back into it
    plan(event);
  }
  opened.clear();
}

void NetworkEvents::UsedLane::look() {
  const bool is_empty = lane->empty();
  time_s =
      is_empty ? std::numeric_limits<double>::infinity() : lane->front().time_s;
  order = is_empty ? 0 : lane->front().order;
}

void NetworkEvents::after(double delay_s, Kind kind, Frame frame,
                          NodeNumber node) {
  Fifo<Event> &lane = lanes_[static_cast<size_t>(kind) * kFrames + frame];
  const bool is_new = lane.is_new();
  const bool is_first = lane.empty();
  lane.push_back({now_s_ + delay_s, events_++, kind, frame, node});
  if (is_new) {
    used_lanes_.push_back({0, 0, &lane});
  }
  if (is_first) {
    std::find_if(used_lanes_.begin(), used_lanes_.end(),
                 [&lane](const UsedLane &used) { return used.lane == &lane; })
        ->look();
  }
}

// The lane whose first event comes before those of others, and of the heap.
NetworkEvents::UsedLane *NetworkEvents::next_lane() {
  UsedLane *found = nullptr;
  double time_s = std::numeric_limits<double>::infinity();
  uint64_t order = 0;
  if (!heap_.empty()) {
    time_s = heap_.top().time_s;
    order = heap_.top().order;
  }
  for (UsedLane &used : used_lanes_) {
    if (used.time_s < time_s || (used.time_s == time_s && used.order < order)) {
      found = &used;
      time_s = used.time_s;
      order = used.order;
    }
  }
  return found;
}

void NetworkEvents::advance(double until_s) {
  while (true) {
    UsedLane *used = next_lane();
    const Event *first = used            ? &used->lane->front()
                         : heap_.empty() ? nullptr
                                         : &heap_.top();
    if (in_slices_ > 0 && (!first || slice_of(first->time_s) > slice_)) {
      if (slice_ >= slice_of(until_s)) {
        return;
      }
      open_slice();
      continue;
    }
    if (!first || first->time_s >= until_s) {
      return;
    }
    const Event event = *first;
    if (used) {
      used->lane->pop_front();
      used->look();
    } else {
      heap_.pop();
    }
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
  case Kind::kCellEnds:
    end_of_cell(event.node);
    break;
  case Kind::kCopyBegins:
    begin_copy(event.node);
    break;
  case Kind::kArrives:
    arrives(event.node, event.frame);
    break;
  }
}

void NetworkEvents::make(NodeNumber node, Frame frame) {
  plan_next(node, frame);
  enqueue(node, {now_s_, frame});
}

// One message in each interval, or in each part of it, at any time in that.
void NetworkEvents::plan_next(NodeNumber node, Frame frame) {
  const bool is_data = frame == kData;
  const double length_s = interval_of(node, frame);
  double &begins_s = is_data ? nodes_[node].next_data_interval_s
                             : nodes_[node].next_dao_interval_s;
  double made_s = 0;
  do {
    made_s = begins_s + draw() * length_s;
    begins_s += length_s;
  } while (made_s < 0); // in the interval that the simulation begins in
  at(made_s, is_data ? Kind::kDataMade : Kind::kDaoMade, node);
}

double NetworkEvents::interval_of(NodeNumber node, Frame frame) const {
  const double length_s =
      frame == kData ? plan_.interval_s : plan_.dao_interval_s;
  return plan_.messages.empty() ? length_s : length_s / plan_.messages[node];
}

void NetworkEvents::enqueue(NodeNumber node, Waiting waiting) {
  if (nodes_[node].queue.size() >= plan_.queue_max) {
    lost_++;
    return;
  }
  nodes_[node].queue.push_back(waiting);
  is_waiting_[node] = true;
  try_to_send(node);
}

// Whether a node within two hops sends: one that is its neighbour, or that has
// a neighbour in common with it.
bool NetworkEvents::senses_others(NodeNumber node) const {
  if (!plan_.shares_medium) {
    return false;
  }
  const NodeLists::List near = near_[node];
  return senders_near_[node] ||
         std::any_of(near.begin(), near.end(), [this](NodeNumber other) {
           return senders_near_[other] > 0;
         });
}

void NetworkEvents::begin_or_end(NodeNumber node, int change) {
  if (!plan_.shares_medium) {
    return;
  }
  const auto step = static_cast<uint32_t>(change); // it wraps
  senders_near_[node] += step;
  for (NodeNumber other : near_[node]) {
    senders_near_[other] += step;
  }
}

void NetworkEvents::try_to_send(NodeNumber node) {
  Node &sender = nodes_[node];
  if (sender.is_busy || sender.queue.empty() || senses_others(node)) {
    return;
  }
  const Frame frame = sender.queue.front().frame;
  if (plan_.cell_s[frame] > 0 && frame != kDio && !takes_cell(node, frame)) {
    return;
  }
  sender.is_busy = true;
  begin_or_end(node, 1);
  if (plan_.air_s > 0 && frame == kData) {
    sender.copies_begun = sender.copies_met = 0;
    begin_copy(node);
  }
  after(plan_.medium_s[frame], Kind::kMediumFree, frame, node);
  if (plan_.service_s[frame] > plan_.medium_s[frame]) {
    after(plan_.service_s[frame], Kind::kNodeFree, frame, node);
  }
}

// All copies last equally long: what is on the air together with an earlier one
// is so with the latest, too.
void NetworkEvents::begin_copy(NodeNumber node) {
  Node &sender = nodes_[node];
  const auto drawn = plan_.frequencies == 1
                         ? 0
                         : static_cast<size_t>(draw() * plan_.frequencies);
  OnAir &last = on_air_[drawn];
  sender.is_met = false;
  if (last.ends_s > now_s_) {
    meet(last.node);
    meet(node);
  }
  last = {now_s_ + plan_.air_s, node};
  if (++sender.copies_begun < plan_.air_copies) {
    after(plan_.air_period_s, Kind::kCopyBegins, kData, node);
  }
}

void NetworkEvents::meet(NodeNumber node) {
  nodes_[node].copies_met += !nodes_[node].is_met;
  nodes_[node].is_met = true;
}

bool NetworkEvents::has_collided(NodeNumber node, Frame frame) const {
  return plan_.air_s > 0 && frame == kData &&
         nodes_[node].copies_met == nodes_[node].copies_begun;
}

// A radio is in one cell at a time: a frame needs that of its sender and that
// of its receiver. Broadcasts have shared cells, in which all are anyway.
bool NetworkEvents::takes_cell(NodeNumber node, Frame frame) {
  Node &sender = nodes_[node];
  Node &parent = nodes_[plan_.parents[node]];
  if (plan_.cell_takes_sender && sender.is_in_cell) {
    return false; // it tries again when that ends
  }
  if (parent.is_in_cell) {
    if (!sender.is_held_up) {
      sender.is_held_up = true;
      parent.held_up.push_back(node);
    }
    return false;
  }
  parent.is_in_cell = true;
  sender.is_in_cell = sender.is_in_cell || plan_.cell_takes_sender;
  after(plan_.cell_s[frame], Kind::kCellEnds, frame, node);
  return true;
}

void NetworkEvents::end_of_cell(NodeNumber node) {
  const NodeNumber parent = plan_.parents[node];
  nodes_[parent].is_in_cell = false;
  if (!plan_.cell_takes_sender) {
    next_in_cell(parent);
    return;
  }
  nodes_[node].is_in_cell = false;
  next_in_cell(parent);
  next_in_cell(node);
}

// Of a node and those that wait for it, any may be next.
void NetworkEvents::next_in_cell(NodeNumber node) {
  auto &held_up = nodes_[node].held_up;
  // The sink sends nothing to a parent.
  bool is_asked = node == kSink || !plan_.cell_takes_sender;
  while (!nodes_[node].is_in_cell && !held_up.empty()) {
    const size_t choices = held_up.size() + !is_asked;
    const auto drawn =
        static_cast<size_t>(draw() * static_cast<double>(choices));
    if (drawn == held_up.size()) {
      is_asked = true;
      try_to_send(node);
      continue;
    }
    std::swap(held_up[drawn], held_up.back());
    const NodeNumber other = held_up.back();
    held_up.pop_back();
    nodes_[other].is_held_up = false;
    try_to_send(other);
  }
  if (!is_asked) {
    try_to_send(node);
  }
}

void NetworkEvents::log(NodeNumber node, NodeNumber to, Frame frame,
                        Fate fate) {
  if (log_.size() < plan_.log_max) {
    log_.emplace_back(now_s_, node, to, frame, static_cast<uint8_t>(fate));
  }
}

std::vector<LoggedHop> NetworkEvents::take_log() {
  return std::exchange(log_, {});
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
  begin_or_end(node, -1);
  find_candidates(node);
  // Of those that wait, any may be first: each is drawn from the rest.
  for (size_t left = candidates_.size(); left > 0; left--) {
    const auto drawn = static_cast<size_t>(draw() * static_cast<double>(left));
    std::swap(candidates_[drawn], candidates_[left - 1]);
    try_to_send(candidates_[left - 1]);
  }
  // Where nobody shares the medium, nobody is in reach, not even itself.
  try_to_send(node);
}

void NetworkEvents::find_candidates(NodeNumber node) {
  candidates_.clear();
  if (!plan_.shares_medium) {
    return;
  }
  for (NodeNumber other : reach_[node]) {
    if (is_waiting_[other]) {
      candidates_.push_back(other);
    }
  }
}

void NetworkEvents::was_broadcast(NodeNumber node) {
  nodes_[node].queue.pop_front();
  is_waiting_[node] = !nodes_[node].queue.empty();
  log(node, node, kDio, Fate::kBroadcast);
  nodes_[node].counts[kSent][kDio]++;
  nodes_[node].counts[kFirstSent][kDio]++;
  for (NodeNumber other : near_[node]) {
    nodes_[other].heard++;
  }
}

void NetworkEvents::was_sent(NodeNumber node, Waiting waiting) {
  Node &sender = nodes_[node];
  const NodeNumber parent = plan_.parents[node];
  sender.counts[kSent][waiting.frame]++;
  sender.counts[kFirstSent][waiting.frame] += !sender.is_repeated;
  if (has_collided(node, waiting.frame)) { // nobody asks for it again
    collided_++;
    is_over(node);
    log(node, parent, waiting.frame, Fate::kLost);
    return;
  }
  const bool arrives = happens(plan_.delivery[node]);
  const bool is_first = arrives && !sender.was_received;
  nodes_[parent].counts[kReceived][waiting.frame] += arrives;
  nodes_[parent].counts[kFirstReceived][waiting.frame] += is_first;
  const bool is_acknowledged =
      arrives && plan_.acknowledges && happens(plan_.ack_delivery[node]);
  log(node, parent, waiting.frame,
      is_acknowledged ? Fate::kAcknowledged
      : arrives       ? Fate::kArrived
                      : Fate::kLost);
  lost_on_links_ += !arrives && !plan_.acknowledges;
  if (is_acknowledged || !plan_.acknowledges) {
    is_over(node);
  } else {
    sender.is_repeated = true;
    sender.was_received = sender.was_received || arrives;
  }
  if (is_first) {
    hand_over(node, waiting);
  }
}

void NetworkEvents::is_over(NodeNumber node) {
  Node &sender = nodes_[node];
  sender.queue.pop_front();
  is_waiting_[node] = !sender.queue.empty();
  sender.is_repeated = sender.was_received = false;
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
  on_the_way_[waiting.frame].push_back(waiting);
  after(later_s, Kind::kArrives, waiting.frame, node);
}

void NetworkEvents::arrives(NodeNumber node, Frame frame) {
  auto &on_the_way = on_the_way_[frame];
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
  for (NodeNumber node = 0; node < nodes_.size(); node++) {
    const auto &sent = nodes_[node].counts[kSent];
    for (NodeNumber other : near_[node]) {
      found[kReceived][kDio][other] += sent[kDio];
      found[kFirstReceived][kDio][other] += sent[kDio];
      const bool is_for_it = node != kSink && plan_.parents[node] == other;
      for (Frame frame : {kData, kDao}) {
        found[kOverheard][frame][other] += is_for_it ? 0 : sent[frame];
      }
    }
  }
  return found;
}

uint64_t NetworkEvents::waiting() const {
  uint64_t total = 0;
  for (const Node &node : nodes_) {
    total += node.queue.size();
  }
  for (const auto &on_the_way : on_the_way_) {
    total += on_the_way.size();
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
             std::vector<double> arrival_s, std::vector<double> cell_s,
             bool cell_takes_sender, bool acknowledges, bool shares_medium,
             double air_s, double air_period_s, uint32_t air_copies,
             uint32_t frequencies, double interval_s, double dao_interval_s,
             std::vector<uint32_t> messages, double trickle_interval_s,
             uint32_t redundancy, size_t queue_max, size_t log_max,
             uint64_t seed) {
            new (self) NetworkEvents({std::move(parents),
                                      std::move(neighbours),
                                      std::move(delivery),
                                      std::move(ack_delivery),
                                      std::move(medium_s),
                                      std::move(service_s),
                                      std::move(arrival_s),
                                      std::move(cell_s),
                                      cell_takes_sender,
                                      acknowledges,
                                      shares_medium,
                                      air_s,
                                      air_period_s,
                                      air_copies,
                                      frequencies,
                                      interval_s,
                                      std::move(messages),
                                      dao_interval_s,
                                      trickle_interval_s,
                                      redundancy,
                                      queue_max,
                                      log_max,
                                      seed});
          },
          nb::kw_only(), nb::arg("parents"), nb::arg("neighbours"),
          nb::arg("delivery"), nb::arg("ack_delivery"), nb::arg("medium_s"),
          nb::arg("service_s"), nb::arg("arrival_s"), nb::arg("cell_s"),
          nb::arg("cell_takes_sender") = true, nb::arg("acknowledges") = true,
          nb::arg("shares_medium"), nb::arg("air_s") = 0.0,
          nb::arg("air_period_s") = 0.0, nb::arg("air_copies") = 1,
          nb::arg("frequencies") = 1, nb::arg("interval_s"),
          nb::arg("dao_interval_s"),
          nb::arg("messages") = std::vector<uint32_t>(),
          nb::arg("trickle_interval_s"), nb::arg("redundancy"),
          nb::arg("queue_max"), nb::arg("log_max") = 0, nb::arg("seed"),
          "ValueError when sizes differ, a node is not there, or a time or a\n"
          "share is not possible. With a dao_interval_s of 0, nothing routes.")
      .def("advance", &NetworkEvents::advance, nb::arg("until_s"),
           "Handle all events before this time.")
      .def("counts", &NetworkEvents::counts,
           "Return how often each node sent, sent first, received, received\n"
           "first and overheard: lists for data, DIO and DAO, by node.")
      .def(
          "take_log", &NetworkEvents::take_log,
          "Return the first `log_max` transmissions since the last call: when\n"
          "each ended, who sent to whom, the kind of frame, and its fate: 0 "
          "for\n"
          "lost, 1 for arrived, 2 for acknowledged too, 3 for broadcast.")
      .def_prop_ro("made", &NetworkEvents::made, "Messages of nodes.")
      .def_prop_ro("delivered", &NetworkEvents::delivered,
                   "Messages that reached the sink.")
      .def_prop_ro("lost", &NetworkEvents::lost,
                   "Frames that found no room in a queue.")
      .def_prop_ro("collided", &NetworkEvents::collided,
                   "Messages of which each copy met another's at the sink.")
      .def_prop_ro("lost_on_links", &NetworkEvents::lost_on_links,
                   "Messages that did not arrive, and are not sent again.")
      .def_prop_ro("waiting", &NetworkEvents::waiting,
                   "Frames in queues, or on the way.")
      .def_prop_ro("latency_sum_s", &NetworkEvents::latency_sum_s,
                   "Of all messages that reached the sink.")
      .def_prop_ro("events", &NetworkEvents::events, "Events so far.");
}

} // namespace samara::python
