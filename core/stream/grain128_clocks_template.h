/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the registers of Grain-128AEADv2 for many lanes at a time,
 * bit-sliced, and their clocks. Included once for each width, with
 * SAMARA_CIPHER defined to a prefix, SAMARA_LANE to a type of SAMARA_LANES bits
 * that knows & and ^, and SAMARA_LANE_FUNCTION to how functions are declared
 * that are to be inlined. SAMARA_LANE_ASSEMBLY is a function of
 * stream/grain128_clocks.h, or not defined. It writes SAMARA_LOCAL(registers),
 * SAMARA_LOCAL(clocks) and SAMARA_LOCAL(feed_back). SAMARA_LOCAL is that of
 * mode/names.h.
 *
 * A plane is one bit of all lanes; the registers are arrays of planes. Nothing
 * moves: the new plane of a clock takes the place of the one that leaves. After
 * 128 clocks every plane is in its place again. They are done in quarters of
 * 32, which need nothing that they write, as no tap lies above bit 96. Constant
 * time: there is no branch or address but from the quarter. */

#define SAMARA_LANE_REGISTERS SAMARA_LOCAL(registers)

typedef struct SAMARA_LANE_REGISTERS {
#ifdef SAMARA_LANE_ASSEMBLY
  SAMARA_LANE nfsr[128];
  SAMARA_LANE lfsr[128];
  SAMARA_LANE sums[64];
#else
  /* Behind the 128 planes those that came first in these 128 clocks, again: so
   * a quarter's are one behind the other. */
  SAMARA_LANE nfsr[128 + 96];
  SAMARA_LANE lfsr[128 + 96];
#endif
} __attribute__((may_alias)) SAMARA_LANE_REGISTERS;

/* SAMARA_LOCAL(clocks): clocks 32 * quarter to 32 * quarter + 31 of 128; their
 * pre-output goes to 32 planes at y. */

#ifdef SAMARA_LANE_ASSEMBLY

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(clocks)(SAMARA_LANE_REGISTERS *registers,
                                               unsigned quarter,
                                               SAMARA_LANE *y) {
  SAMARA_LANE_ASSEMBLY((uint64_t *)registers->nfsr, quarter, (uint64_t *)y,
                       (uint64_t *)registers->sums);
}

#else

/* Eight clocks are written out, for i = 0 to 7: planes that several of them
 * read are read once, as far as the compiler has registers. */
#define SAMARA_LANE_GROUP 8
#define SAMARA_LANE_EACH(statement)                                            \
  SAMARA_LANE_AT(0, statement)                                                 \
  SAMARA_LANE_AT(1, statement)                                                 \
  SAMARA_LANE_AT(2, statement)                                                 \
  SAMARA_LANE_AT(3, statement)                                                 \
  SAMARA_LANE_AT(4, statement)                                                 \
  SAMARA_LANE_AT(5, statement)                                                 \
  SAMARA_LANE_AT(6, statement)                                                 \
  SAMARA_LANE_AT(7, statement)
#define SAMARA_LANE_AT(index, statement)                                       \
  {                                                                            \
    enum { i = (index) };                                                      \
    statement;                                                                 \
  }

#define B(tap) b[i + (tap)]
#define S(tap) s[i + (tap)]
#define ADD2(sum, one, two) SAMARA_LANE_EACH(sum[i] = sum[i] ^ (one) ^ (two))
#define ADD_AND(sum, one, two) SAMARA_LANE_EACH(sum[i] ^= (one) & (two))

/* No plane is kept in a register beyond this: it is read again. */
#define SAMARA_LANE_PART_ENDS                                                  \
  SAMARA_FORGET(b);                                                            \
  SAMARA_FORGET(s);

/* The functions y, F and L of the specification, section 2.1, for eight clocks;
 * b and s are the first one's registers. */
SAMARA_LANE_FUNCTION void
SAMARA_LOCAL(eight_clocks)(SAMARA_LANE *b, SAMARA_LANE *s, SAMARA_LANE *y) {
  SAMARA_LANE f[SAMARA_LANE_GROUP];
  SAMARA_LANE l[SAMARA_LANE_GROUP];
  SAMARA_LANE o[SAMARA_LANE_GROUP];
  SAMARA_LANE_EACH(f[i] = B(0) ^ (B(27) & B(59)))
  ADD2(f, B(26), B(56))
  ADD_AND(f, B(11), B(13))
  ADD_AND(f, B(40), B(48))
  ADD_AND(f, B(17), B(18))
  ADD_AND(f, B(22), B(24) & B(25))
  SAMARA_LANE_EACH(o[i] = B(15) ^ B(2))
  SAMARA_LANE_PART_ENDS
  ADD_AND(o, S(13), S(20))
  SAMARA_LANE_PART_ENDS
  ADD_AND(f, B(61), B(65))
  ADD_AND(f, B(68), B(84))
  ADD_AND(f, B(3), B(67))
  ADD2(o, B(73), B(64))
  ADD_AND(f, B(70), B(78) & B(82))
  ADD_AND(f, B(88) & B(92), B(93) & B(95))
  ADD2(o, S(93), B(45))
  ADD2(o, B(89), B(36))
  ADD_AND(o, B(95), S(42))
  ADD_AND(o, S(60), S(79))
  ADD2(f, S(0), B(96))
  SAMARA_LANE_EACH(f[i] ^= B(91))
  ADD_AND(o, B(12), S(8) ^ (B(95) & S(94)))
  SAMARA_LANE_EACH(y[i] = o[i])
  SAMARA_LANE_EACH(B(0) = f[i])
  SAMARA_LANE_EACH(l[i] = S(0) ^ S(7) ^ S(38))
  ADD2(l, S(70), S(81))
  SAMARA_LANE_EACH(l[i] ^= S(96))
  SAMARA_LANE_EACH(S(0) = l[i])
}

#undef SAMARA_LANE_EACH
#undef SAMARA_LANE_AT
#undef B
#undef S
#undef ADD2
#undef ADD_AND
#undef SAMARA_LANE_PART_ENDS

SAMARA_LANE_FUNCTION void SAMARA_LOCAL(clocks)(SAMARA_LANE_REGISTERS *registers,
                                               unsigned quarter,
                                               SAMARA_LANE *y) {
  SAMARA_LANE *b = registers->nfsr + quarter * 32;
  SAMARA_LANE *s = registers->lfsr + quarter * 32;
  if (quarter != 0) {
    for (int i = -32; i < 0; i++) {
      b[i + 128] = b[i];
      s[i + 128] = s[i];
    }
  }
  for (unsigned i = 0; i < 32; i += SAMARA_LANE_GROUP) {
    SAMARA_LANE *b_now = b + i;
    SAMARA_LANE *s_now = s + i;
    /* Or gcc keeps on the stack what the next eight clocks read again. */
    SAMARA_FORGET(b_now);
    SAMARA_FORGET(s_now);
    SAMARA_LOCAL(eight_clocks)(b_now, s_now, y + i);
  }
}

#undef SAMARA_LANE_GROUP

#endif

/* After the clocks of a quarter: feeds their pre-output back in the lanes that
 * start, and adds `key` (or NULL), 32 planes for the NFSR and, 64 planes
 * further, 32 for the LFSR. */
SAMARA_LANE_FUNCTION void
SAMARA_LOCAL(feed_back)(SAMARA_LANE_REGISTERS *registers, unsigned quarter,
                        const SAMARA_LANE *y, SAMARA_LANE starting,
                        const SAMARA_LANE *key) {
  SAMARA_LANE *b = registers->nfsr + quarter * 32;
  SAMARA_LANE *s = registers->lfsr + quarter * 32;
  for (unsigned i = 0; i < 32; i++) {
    const SAMARA_LANE back = y[i] & starting;
    b[i] ^= back;
    s[i] ^= back;
  }
  for (unsigned i = 0; key != NULL && i < 32; i++) {
    b[i] ^= key[i];
    s[i] ^= key[64 + i];
  }
}

#undef SAMARA_LANE_REGISTERS
