/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "counter_file.h"
#include "qa_folder.h"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <limits>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using gr::samara::counter_file;

namespace {

// A process that does not outlive the test, however that ends.
class child_process
{
public:
    template <typename program>
    explicit child_process(const program& run) : d_id(::fork())
    {
        BOOST_REQUIRE(d_id >= 0);
        if (d_id == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            run();
            ::_exit(1);
        }
    }
    ~child_process() { end(); }
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const { return d_id; }

    void end()
    {
        if (d_id > 0) {
            ::kill(d_id, SIGKILL);
            ::waitpid(d_id, nullptr, 0);
            d_id = 0;
        }
    }

private:
    pid_t d_id;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(qa_counter_file, fresh_folder)

BOOST_AUTO_TEST_CASE(a_test_that_fails_leaves_no_child)
{
    pid_t id = 0;
    try {
        const child_process child([] { ::pause(); });
        id = child.id();
        BOOST_TEST(::kill(id, 0) == 0);
        throw std::runtime_error("as a test fails");
    } catch (const std::runtime_error&) {
        BOOST_TEST(::kill(id, 0) == -1);
    }
}

BOOST_AUTO_TEST_CASE(numbers_only_go_up)
{
    counter_file counter(file, 1024);
    BOOST_CHECK_EQUAL(counter.next(), 0);
    BOOST_CHECK(counter.use(0));
    BOOST_CHECK(!counter.use(0));
    BOOST_CHECK(counter.use(5000));
    BOOST_CHECK(!counter.use(4999));
    BOOST_CHECK_EQUAL(counter.next(), 5001);
}

BOOST_AUTO_TEST_CASE(the_highest_number_is_never_used)
{
    constexpr uint64_t highest = std::numeric_limits<uint64_t>::max();
    {
        counter_file counter(file, 1024);
        BOOST_CHECK(counter.use(highest - 1));
        BOOST_CHECK(!counter.use(highest));
    }
    counter_file again(file, 1024);
    BOOST_CHECK(!again.use(highest - 1));
    BOOST_CHECK(!again.use(highest));
}

BOOST_AUTO_TEST_CASE(an_orderly_end_loses_no_number)
{
    {
        counter_file counter(file, 1024);
        BOOST_CHECK(counter.use(6));
    }
    counter_file again(file, 1024);
    BOOST_CHECK_EQUAL(again.next(), 7);
    BOOST_CHECK(!again.use(6));
    BOOST_CHECK(again.use(7));
}

// The child uses numbers as fast as it can and tells each one in a pipe before
// it would be sent; it is killed at some moment.
BOOST_AUTO_TEST_CASE(a_killed_process_never_repeats_a_number)
{
    uint64_t highest = 0;
    for (int round = 0; round < 10; round++) {
        int ends[2];
        BOOST_REQUIRE(::pipe(ends) == 0);
        child_process child([&] {
            counter_file counter(file, 1024);
            for (;;) {
                const uint64_t number = counter.next();
                if (!counter.use(number) ||
                    ::write(ends[1], &number, sizeof number) < 0) {
                    return;
                }
            }
        });
        ::close(ends[1]);
        uint64_t number = 0;
        for (int i = 0; i < 1500 + 10 * round; i++) {
            BOOST_REQUIRE(::read(ends[0], &number, sizeof number) ==
                          sizeof number);
            BOOST_REQUIRE(number > highest || (round == 0 && i == 0));
            highest = number;
        }
        child.end();
        while (::read(ends[0], &number, sizeof number) == sizeof number) {
            highest = number;
        }
        ::close(ends[0]);
    }
}

BOOST_AUTO_TEST_CASE(a_mark_that_cannot_be_stored_refuses_the_number)
{
    counter_file counter(file, 1024);
    ::mkdir((file + ".new").c_str(), 0700);
    BOOST_CHECK_THROW(counter.use(0), std::runtime_error);
    ::rmdir((file + ".new").c_str());
    BOOST_CHECK(counter.use(0));
}

BOOST_AUTO_TEST_SUITE_END()
