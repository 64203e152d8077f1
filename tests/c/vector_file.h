/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_VECTOR_FILE_H
#define SAMARA_TESTS_VECTOR_FILE_H

/* Reads the known answers of vectors/ (format: vectors/README.md). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { vector_fields_max = 12 };

typedef struct vector_field {
  char *name;
  char *text;
  uint8_t *bytes; /* of `text` as hex; NULL when it is none */
  size_t size;
} vector_field;

typedef struct vector_record {
  char slug[64]; /* of the section */
  long line;     /* where the record ends */
  vector_field fields[vector_fields_max];
  size_t field_count;
} vector_record;

/* Reads the next record into `record`, which is zero at first and afterwards
 * what the last call left. False at the end of the file. Ends the program with
 * a message when the file breaks the format. */
bool vector_next(FILE *file, const char *path, vector_record *record);

/* The field, or NULL. */
const vector_field *vector_find(const vector_record *record, const char *name);

/* The field, which must be hex. */
const vector_field *vector_hex(const vector_record *record, const char *name);

void vector_free(vector_record *record);

#endif
