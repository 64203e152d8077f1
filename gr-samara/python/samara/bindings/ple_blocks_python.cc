/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gnuradio/samara/ple_xor_bb.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

void bind_ple_blocks(py::module& m)
{
    using namespace gr::samara;

    py::class_<ple_xor_bb,
               gr::sync_block,
               gr::block,
               gr::basic_block,
               std::shared_ptr<ple_xor_bb>>(
        m, "ple_xor_bb", "Adds the Grain-128PLE keystream to bits.")
        .def(py::init(&ple_xor_bb::make),
             py::arg("role"),
             py::arg("key"),
             py::arg("state_file") = "",
             py::arg("frame_tag") = "frame",
             py::arg("format") = bit_format::UNPACKED,
             py::arg("direction") = 0,
             py::arg("link_id") = 0)
        .def("set_key", &ple_xor_bb::set_key, py::arg("key"));
}
