/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pybind11/pybind11.h>

namespace py = pybind11;

void bind_types(py::module& m);
void bind_bursts(py::module& m);
void bind_frame_codec(py::module& m);
void bind_ple_blocks(py::module& m);

PYBIND11_MODULE(samara_python, m)
{
    // The base classes of the blocks.
    py::module::import("gnuradio.gr");

    bind_types(m);
    bind_bursts(m);
    bind_frame_codec(m);
    bind_ple_blocks(m);
}
