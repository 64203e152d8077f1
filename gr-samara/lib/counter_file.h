/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_COUNTER_FILE_H
#define INCLUDED_SAMARA_COUNTER_FILE_H

#include <cstdint>
#include <gnuradio/samara/api.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief A frame counter that never goes back, whatever becomes of the process.
 *
 * \details
 * The file holds a mark: no frame at or above it has been used. Before a number
 * at or above the mark is used, a mark further up is written and synchronised
 * to the disk; a process that is killed loses the numbers in between and never
 * repeats one. One that ends in order loses none. The file is locked, so that
 * two processes cannot share it.
 */
class SAMARA_API counter_file
{
public:
    /*!
     * \brief Opens or creates the file.
     *
     * \param path of the file; another one, with .lock after the name, is made
     * beside it
     * \param reservation numbers that one write to the disk allows, and that
     * are lost when the process is killed
     * \throws std::runtime_error when it cannot be opened or locked, or holds
     * something else
     */
    counter_file(const std::string& path, uint64_t reservation);
    ~counter_file();
    counter_file(const counter_file&) = delete;
    counter_file& operator=(const counter_file&) = delete;

    //! The lowest number that was not used yet.
    uint64_t next() const { return d_next; }

    /*!
     * \brief Uses a number.
     *
     * \returns false, and changes nothing, when it or a higher one may have
     * been used, or when it is the highest that there is
     * \throws std::runtime_error when the mark cannot be stored; the number is
     * then not to be used
     */
    bool use(uint64_t number);

private:
    uint64_t read_mark() const;
    void write_mark(uint64_t mark) const;
    [[noreturn]] void fail(const std::string& what) const;

    const std::string d_path;
    const uint64_t d_reservation;
    int d_lock = -1; // the descriptor that holds the lock
    uint64_t d_next = 0;
    uint64_t d_mark = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_COUNTER_FILE_H */
