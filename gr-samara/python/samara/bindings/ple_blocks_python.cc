/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "docstrings.h"
#include <gnuradio/samara/frame_counter.h>
#include <gnuradio/samara/frame_open_pdu.h>
#include <gnuradio/samara/frame_seal_pdu.h>
#include <gnuradio/samara/ple_llr_ff.h>
#include <gnuradio/samara/ple_llr_pdu.h>
#include <gnuradio/samara/ple_xor_bb.h>
#include <gnuradio/samara/ple_xor_pdu.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

using namespace gr::samara;

namespace {

template <typename Block, typename... Bases>
py::class_<Block, Bases..., std::shared_ptr<Block>>
keyed_class(py::module& m, const char* name, const char* doc)
{
    return py::class_<Block, Bases..., std::shared_ptr<Block>>(m, name, doc)
        .def("set_key",
             &Block::set_key,
             py::arg("key"),
             "Sets the key for the frames after the last one begun.");
}

template <typename Block>
auto stream_class(py::module& m, const char* name, const char* doc)
{
    return keyed_class<Block, gr::sync_block, gr::block, gr::basic_block>(
        m, name, doc);
}

template <typename Block>
auto pdu_class(py::module& m, const char* name, const char* doc)
{
    return keyed_class<Block, gr::block, gr::basic_block>(m, name, doc);
}

} // namespace

void bind_ple_blocks(py::module& m)
{
    py::class_<frame_counter,
               gr::sync_block,
               gr::block,
               gr::basic_block,
               std::shared_ptr<frame_counter>>(
        m, "frame_counter", docs::frame_counter)
        .def(py::init(&frame_counter::make),
             py::arg("item_size"),
             py::arg("state_file") = "",
             py::arg("first") = 0,
             py::arg("length_tag") = "packet_len",
             py::arg("frame_tag") = "frame");
    stream_class<ple_xor_bb>(m, "ple_xor_bb", docs::ple_xor_bb)
        .def(py::init(&ple_xor_bb::make),
             py::arg("role"),
             py::arg("key"),
             py::arg("state_file") = "",
             py::arg("frame_tag") = "frame",
             py::arg("format") = bit_format::UNPACKED,
             py::arg("direction") = 0,
             py::arg("link_id") = 0,
             py::arg("length_tag") = "packet_len");
    stream_class<ple_llr_ff>(m, "ple_llr_ff", docs::ple_llr_ff)
        .def(py::init(&ple_llr_ff::make),
             py::arg("key"),
             py::arg("frame_tag") = "frame",
             py::arg("direction") = 0,
             py::arg("link_id") = 0,
             py::arg("length_tag") = "packet_len");
    pdu_class<ple_xor_pdu>(m, "ple_xor_pdu", docs::ple_xor_pdu)
        .def(py::init(&ple_xor_pdu::make),
             py::arg("role"),
             py::arg("key"),
             py::arg("state_file") = "",
             py::arg("frame_key") = "frame",
             py::arg("format") = bit_format::UNPACKED,
             py::arg("direction") = 0,
             py::arg("link_id") = 0);
    pdu_class<ple_llr_pdu>(m, "ple_llr_pdu", docs::ple_llr_pdu)
        .def(py::init(&ple_llr_pdu::make),
             py::arg("key"),
             py::arg("frame_key") = "frame",
             py::arg("direction") = 0,
             py::arg("link_id") = 0);
    pdu_class<frame_seal_pdu>(m, "frame_seal_pdu", docs::frame_seal_pdu)
        .def(py::init(&frame_seal_pdu::make),
             py::arg("key"),
             py::arg("state_file"),
             py::arg("code") = frame_code::CONVOLUTIONAL,
             py::arg("check") = frame_check::TAG,
             py::arg("direction") = 0,
             py::arg("link_id") = 0);
    pdu_class<frame_open_pdu>(m, "frame_open_pdu", docs::frame_open_pdu)
        .def(py::init(&frame_open_pdu::make),
             py::arg("key"),
             py::arg("state_file"),
             py::arg("code") = frame_code::CONVOLUTIONAL,
             py::arg("check") = frame_check::TAG,
             py::arg("direction") = 0,
             py::arg("link_id") = 0,
             py::arg("payload_size") = 0,
             py::arg("likelihoods") = false);
}
