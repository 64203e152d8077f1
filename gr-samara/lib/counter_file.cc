/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "counter_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <stdexcept>
#include <sys/file.h>
#include <unistd.h>

namespace gr {
namespace samara {

namespace {

// 16 hex digits of the mark and 16 of its complement: a file that was cut short
// or is another one is noticed.
constexpr size_t content_size = 34;

std::string content_of(uint64_t mark)
{
    char text[content_size + 1];
    std::snprintf(text,
                  sizeof text,
                  "%016llx %016llx\n",
                  static_cast<unsigned long long>(mark),
                  static_cast<unsigned long long>(~mark));
    return text;
}

bool write_all(int file, const std::string& content)
{
    return ::write(file, content.data(), content.size()) ==
           static_cast<ssize_t>(content.size());
}

} // namespace

counter_file::counter_file(const std::string& path, uint64_t reservation)
    : d_path(path), d_reservation(reservation)
{
    if (path.empty()) {
        throw std::runtime_error(
            "a frame counter needs a file to be stored in");
    }
    // The lock has a file of its own, because the other one is replaced.
    const std::string lock_path = path + ".lock";
    d_lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (d_lock < 0) {
        fail("cannot open " + lock_path);
    }
    try {
        if (::flock(d_lock, LOCK_EX | LOCK_NB) != 0) {
            fail("another transmitter uses this frame counter");
        }
        d_mark = read_mark();
    } catch (...) {
        ::close(d_lock);
        throw;
    }
    d_next = d_mark;
}

counter_file::~counter_file()
{
    try {
        if (d_next < d_mark) {
            write_mark(d_next);
        }
    } catch (const std::exception&) {
        // The mark further up stays: numbers are lost, none is repeated.
    }
    ::close(d_lock);
}

bool counter_file::use(uint64_t number)
{
    constexpr uint64_t highest = std::numeric_limits<uint64_t>::max();
    if (number < d_next || number == highest) {
        return false;
    }
    if (number >= d_mark) {
        const uint64_t mark =
            number + std::min(d_reservation, highest - number);
        write_mark(mark);
        d_mark = mark;
    }
    d_next = number + 1;
    return true;
}

uint64_t counter_file::read_mark() const
{
    std::FILE* file = std::fopen(d_path.c_str(), "re");
    if (!file) {
        if (errno != ENOENT) {
            fail("cannot read it");
        }
        return 0;
    }
    char text[content_size + 1] = {};
    const size_t size = std::fread(text, 1, sizeof text, file);
    std::fclose(file);
    unsigned long long mark = 0;
    if (size != content_size || std::sscanf(text, "%16llx", &mark) != 1 ||
        content_of(mark) != text) {
        errno = 0;
        fail("it is damaged, or not a frame counter");
    }
    return mark;
}

void counter_file::write_mark(uint64_t mark) const
{
    const std::string fresh = d_path + ".new";
    const int file =
        ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written =
        file >= 0 && write_all(file, content_of(mark)) && ::fsync(file) == 0;
    if (file >= 0) {
        ::close(file);
    }
    if (!written || ::rename(fresh.c_str(), d_path.c_str()) != 0) {
        fail("cannot store it");
    }
    // The new name, too, has to be on the disk.
    const size_t slash = d_path.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "." : d_path.substr(0, slash + 1);
    const int directory = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    const bool stored = directory >= 0 && ::fsync(directory) == 0;
    if (directory >= 0) {
        ::close(directory);
    }
    if (!stored) {
        fail("cannot store it");
    }
}

void counter_file::fail(const std::string& what) const
{
    std::string message = "frame counter " + d_path + ": " + what;
    if (errno != 0) {
        message += std::string(" (") + std::strerror(errno) + ")";
    }
    throw std::runtime_error(message);
}

} // namespace samara
} // namespace gr
