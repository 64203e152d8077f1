/* SPDX-License-Identifier: Apache-2.0 */
/* Template: SubBytes of AES on eight words, of which word i has bit i of all
 * bytes. The file that includes it defines the types sliced_word and
 * sliced_state, SLICED_FUNCTION, which is the storage of a function, and
 * SLICED_NOT(word): the word with its bits inverted, or the word as it is,
 * where the round keys have the constant of SubBytes. */

/* SubBytes by the circuit of Boyar and Peralta, "A New Combinational Logic
 * Minimization Technique with Applications to Cryptology" (SEA 2010), figures 8
 * to 11, whose names it keeps; bits are numbered from the most significant.
 * Long because it is one circuit. */
SLICED_FUNCTION void sliced_sub_bytes(sliced_state s) {
  const sliced_word x0 = s[7], x1 = s[6], x2 = s[5], x3 = s[4];
  const sliced_word x4 = s[3], x5 = s[2], x6 = s[1], x7 = s[0];

  /* Top: linear. */
  const sliced_word y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5;
  const sliced_word t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14;
  const sliced_word y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12;
  const sliced_word y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0;
  const sliced_word y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11,
                    y19 = y10 ^ y8;
  const sliced_word y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

  /* Middle: inversion in GF(2^8) by way of GF(2^4). */
  const sliced_word t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7;
  const sliced_word t6 = t5 ^ t2, t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7;
  const sliced_word t10 = y2 & y7, t11 = t10 ^ t7, t12 = y9 & y11,
                    t13 = y14 & y17;
  const sliced_word t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12,
                    t17 = t4 ^ t14;
  const sliced_word t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16,
                    t21 = t17 ^ y20;
  const sliced_word t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18;
  const sliced_word t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26;
  const sliced_word t28 = t25 & t27, t29 = t28 ^ t22, t30 = t23 ^ t24;
  const sliced_word t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24;
  const sliced_word t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35;
  const sliced_word t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38;
  const sliced_word t40 = t25 ^ t39, t41 = t40 ^ t37, t42 = t29 ^ t33;
  const sliced_word t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
  const sliced_word z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7,
                    z3 = t43 & y16;
  const sliced_word z4 = t40 & y1, z5 = t29 & y7, z6 = t42 & y11,
                    z7 = t45 & y17;
  const sliced_word z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3,
                    z11 = t33 & y4;
  const sliced_word z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2,
                    z15 = t42 & y9;
  const sliced_word z16 = t45 & y14, z17 = t41 & y8;

  /* Bottom: linear, with the affine map. */
  const sliced_word t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13,
                    t49 = z9 ^ z10;
  const sliced_word t50 = z2 ^ z12, t51 = z2 ^ z5, t52 = z7 ^ z8, t53 = z0 ^ z3;
  const sliced_word t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48,
                    t57 = t50 ^ t53;
  const sliced_word t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57,
                    t61 = z14 ^ t57;
  const sliced_word t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59,
                    t65 = t61 ^ t62;
  const sliced_word t66 = z1 ^ t63, t67 = t64 ^ t65;
  s[7] = t59 ^ t63;
  s[1] = SLICED_NOT(t56 ^ t62);
  s[0] = SLICED_NOT(t48 ^ t60);
  s[4] = t53 ^ t66;
  s[3] = t51 ^ t66;
  s[2] = t47 ^ t65;
  s[6] = SLICED_NOT(t64 ^ s[4]);
  s[5] = SLICED_NOT(t55 ^ t67);
}
