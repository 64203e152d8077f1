/* SPDX-License-Identifier: GPL-3.0-or-later */
#define BOOST_TEST_MODULE gr_samara
#include <boost/test/unit_test.hpp>
#include <gnuradio/samara/frame_nonce.h>

using namespace gr::samara;

BOOST_AUTO_TEST_CASE(a_nonce_is_laid_out_as_documented)
{
    const frame_nonce expected{ 2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 8 };
    const frame_nonce nonce = make_frame_nonce(
        nonce_domain::TAG, frame_link{ 3, 0x0405 }, 0x0102030405060708);
    BOOST_CHECK_EQUAL_COLLECTIONS(
        nonce.begin(), nonce.end(), expected.begin(), expected.end());
}
