/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_QA_FOLDER_H
#define INCLUDED_SAMARA_QA_FOLDER_H

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <unistd.h>

//! A folder of its own, and the name of a file in it.
struct fresh_folder {
    fresh_folder()
    {
        char name[] = "/tmp/qa-counter-XXXXXX";
        BOOST_REQUIRE(::mkdtemp(name));
        folder = name;
        file = folder + "/counter";
    }
    ~fresh_folder()
    {
        for (const char* suffix : { "", ".lock", ".new" }) {
            ::unlink((file + suffix).c_str());
        }
        ::rmdir(folder.c_str());
    }
    std::string folder;
    std::string file;
};

#endif /* INCLUDED_SAMARA_QA_FOLDER_H */
