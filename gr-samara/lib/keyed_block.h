/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_KEYED_BLOCK_H
#define INCLUDED_SAMARA_KEYED_BLOCK_H

#include "key_message.h"
#include <gnuradio/block.h>
#include <pmt/pmt.h>
#include <stdexcept>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief How keys come into a block and what it does without one.
 *
 * \tparam Interface the public class of the block, which has set_key()
 * \tparam Keyed what takes the keys: it has has_key(), set_key() and
 * next_frame(), the first frame that a key without a number is for
 */
template <typename Interface, typename Keyed>
class keyed_block : public Interface
{
public:
    void set_key(const std::string& text) override
    {
        gr::thread::scoped_lock guard(this->d_setlock);
        d_keyed.set_key({ key::from_text(text), d_keyed.next_frame() });
    }

    // Asked in the thread that starts the flowgraph: the caller gets the
    // exception.
    bool check_topology(int, int) override
    {
        gr::thread::scoped_lock guard(this->d_setlock);
        if (!d_keyed.has_key()) {
            throw std::runtime_error(this->alias() +
                                     ": cannot start without a key");
        }
        return true;
    }

protected:
    template <typename... Arguments>
    explicit keyed_block(Arguments&&... arguments)
        : d_keyed(std::forward<Arguments>(arguments)...)
    {
        this->message_port_register_in(pmt::mp("key"));
        this->set_msg_handler(
            pmt::mp("key"),
            [this](const pmt::pmt_t& message) { handle_key(message); });
    }

    Keyed d_keyed; // guarded by d_setlock

private:
    void handle_key(const pmt::pmt_t& message)
    {
        gr::thread::scoped_lock guard(this->d_setlock);
        try {
            d_keyed.set_key(
                key_message::from_pmt(message, d_keyed.next_frame()));
        } catch (const std::exception& error) {
            this->d_logger->error("the key stays as it is: {}", error.what());
        }
    }
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_KEYED_BLOCK_H */
