/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "key.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <samara/memory.h>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

using key_bytes = std::array<uint8_t, key::size>;

// More than a key or its digits; a wrong file is not read to its end.
constexpr size_t key_file_limit = 4096;

bool is_space(char letter) { return std::isspace((unsigned char)letter) != 0; }
bool is_digit(char letter) { return std::isxdigit((unsigned char)letter) != 0; }

bool is_hex_key(const std::string& text)
{
    return text.size() == 2 * key::size &&
           std::all_of(text.begin(), text.end(), is_digit);
}

key_bytes bytes_of_hex(const std::string& digits)
{
    key_bytes bytes;
    for (size_t i = 0; i < key::size; i++) {
        const std::string pair = digits.substr(2 * i, 2);
        bytes[i] = static_cast<uint8_t>(std::stoul(pair, nullptr, 16));
    }
    return bytes;
}

std::string read_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::invalid_argument("cannot read the key file " + path);
    }
    std::string content(key_file_limit, '\0');
    file.read(&content[0], static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<size_t>(file.gcount()));
    return content;
}

key_bytes bytes_of_file(const std::string& path)
{
    std::string content = read_file(path);
    if (content.size() == key::size) {
        key_bytes bytes;
        std::copy(content.begin(), content.end(), bytes.begin());
        return bytes;
    }
    content.erase(std::remove_if(content.begin(), content.end(), is_space),
                  content.end());
    if (!is_hex_key(content)) {
        throw std::invalid_argument(
            "the key file " + path +
            " holds neither 16 bytes nor 32 hex digits");
    }
    return bytes_of_hex(content);
}

} // namespace

key key::from_text(const std::string& text)
{
    if (!text.empty() && text[0] == '@') {
        return key(bytes_of_file(text.substr(1)));
    }
    if (!is_hex_key(text)) {
        throw std::invalid_argument("a key is @FILE or 32 hex digits");
    }
    return key(bytes_of_hex(text));
}

key key::from_pmt(const pmt::pmt_t& value)
{
    if (pmt::is_symbol(value)) {
        return from_text(pmt::symbol_to_string(value));
    }
    if (!pmt::is_u8vector(value) || pmt::length(value) != size) {
        throw std::invalid_argument(
            "a key in a message is a u8vector of 16 bytes or a symbol");
    }
    size_t length = 0;
    const uint8_t* elements = pmt::u8vector_elements(value, length);
    key_bytes bytes;
    std::copy(elements, elements + length, bytes.begin());
    return key(bytes);
}

key::~key() { samara_wipe(d_bytes.data(), d_bytes.size()); }

} // namespace samara
} // namespace gr
