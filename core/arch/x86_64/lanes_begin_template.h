/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the beginning of lanes_template.h, which the template of a cipher
 * builds on. */

enum {
  WIDE_LOCAL(batch_vectors) = 4,
  WIDE_LOCAL(batch_lanes) = WIDE_LOCAL(batch_vectors) * WIDE_BLOCKS
};
#define BATCH_VECTORS WIDE_LOCAL(batch_vectors)
#define BATCH_LANES WIDE_LOCAL(batch_lanes)

#define batch_blocks WIDE_LOCAL(batch_blocks)
#define batch_state WIDE_LOCAL(batch_state)
#define batch_keys WIDE_LOCAL(batch_keys)
#define batch_cipher WIDE_LOCAL(batch_cipher)
#define batch_take_key WIDE_LOCAL(batch_take_key)
#define batch_expand WIDE_LOCAL(batch_expand)
#define batch_refill WIDE_LOCAL(batch_refill)
#define batch_refill_all WIDE_LOCAL(batch_refill_all)
#define batch_stage WIDE_LOCAL(batch_stage)
#define batch_fill WIDE_LOCAL(batch_fill)
#define batch_begin WIDE_LOCAL(batch_begin)
#define batch_next WIDE_LOCAL(batch_next)
#define batch_encrypt WIDE_LOCAL(batch_encrypt)
#define batch_load WIDE_LOCAL(batch_load)
#define batch_store WIDE_LOCAL(batch_store)
#define batch_steps WIDE_LOCAL(batch_steps)
#define batch_run WIDE_LOCAL(batch_run)
#define batch_step WIDE_LOCAL(batch_step)
#define batch_all WIDE_LOCAL(batch_all)
#define batch_lane WIDE_LOCAL(batch_lane)
#define batch_prepare WIDE_LOCAL(batch_prepare)
#define batch_end WIDE_LOCAL(batch_end)
#define batch_add WIDE_LOCAL(batch_add)

/* A block for each lane. */
typedef struct batch_blocks {
  uint8_t lane[BATCH_LANES][16];
} batch_blocks;
