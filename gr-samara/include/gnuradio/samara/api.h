/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_API_H
#define INCLUDED_SAMARA_API_H

#include <gnuradio/attributes.h>

#ifdef gnuradio_samara_EXPORTS
#define SAMARA_API __GR_ATTR_EXPORT
#else
#define SAMARA_API __GR_ATTR_IMPORT
#endif

#endif /* INCLUDED_SAMARA_API_H */
