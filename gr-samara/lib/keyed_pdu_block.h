/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_KEYED_PDU_BLOCK_H
#define INCLUDED_SAMARA_KEYED_PDU_BLOCK_H

#include "keyed_block.h"
#include <gnuradio/pdu.h>

namespace gr {
namespace samara {

//! The two halves of a PDU.
struct pdu_parts {
    pmt::pmt_t metadata;
    pmt::pmt_t data;

    /*!
     * \param message a pair of a dictionary and a uniform vector
     * \throws std::runtime_error when it is something else
     */
    static pdu_parts of(const pmt::pmt_t& message)
    {
        if (!pmt::is_pair(message) || !pmt::is_dict(pmt::car(message)) ||
            !pmt::is_uniform_vector(pmt::cdr(message))) {
            throw std::runtime_error("a message is no PDU");
        }
        return { pmt::car(message), pmt::cdr(message) };
    }

    //! An entry of the metadata, or nil.
    pmt::pmt_t find(const pmt::pmt_t& name) const
    {
        return pmt::dict_ref(metadata, name, pmt::PMT_NIL);
    }
};

//! A keyed_block that makes a PDU of each PDU, or drops it with a line in the
//! log.
template <typename Interface, typename Keyed>
class keyed_pdu_block : public keyed_block<Interface, Keyed>
{
protected:
    template <typename... Arguments>
    explicit keyed_pdu_block(Arguments&&... arguments)
        : keyed_block<Interface, Keyed>(std::forward<Arguments>(arguments)...)
    {
        this->message_port_register_in(msgport_names::pdus());
        this->message_port_register_out(msgport_names::pdus());
        this->set_msg_handler(
            msgport_names::pdus(),
            [this](const pmt::pmt_t& message) { handle_message(message); });
    }

    /*!
     * \brief What goes out for a PDU; called with d_setlock held.
     * \throws std::exception with the reason to drop it
     */
    virtual pmt::pmt_t handle_pdu(const pdu_parts& pdu) = 0;

private:
    void handle_message(const pmt::pmt_t& message)
    {
        gr::thread::scoped_lock guard(this->d_setlock);
        try {
            this->message_port_pub(msgport_names::pdus(),
                                   handle_pdu(pdu_parts::of(message)));
        } catch (const std::exception& error) {
            this->d_logger->warn("a PDU is dropped: {}", error.what());
        }
    }
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_KEYED_PDU_BLOCK_H */
