// SPDX-License-Identifier: Apache-2.0
// For techmap: a cover statement is an assertion of the opposite, which must fail.

module \$cover (input A, input EN);
  \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
