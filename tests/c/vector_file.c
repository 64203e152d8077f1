/* SPDX-License-Identifier: Apache-2.0 */
#include "vector_file.h"

#include <stdlib.h>
#include <string.h>

static void stop(const char *path, long line, const char *why) {
  printf("%s:%ld: %s\n0 passed, 1 failed\n", path, line, why);
  exit(1);
}

static void *allocate(size_t size) {
  void *memory = malloc(size == 0 ? 1 : size);
  if (memory == NULL) {
    abort();
  }
  return memory;
}

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') {
    return digit - '0';
  }
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* The bytes are allocated to their exact size, so that the sanitizers see a
 * read or write past their end. */
static uint8_t *parse_hex(const char *text, size_t *size) {
  const size_t length = strlen(text);
  uint8_t *bytes = allocate(length / 2);
  *size = length / 2;
  for (size_t i = 0; i < length; i += 2) {
    const int high = hex_digit(text[i]);
    const int low = high < 0 ? -1 : hex_digit(text[i + 1]);
    if (low < 0) {
      free(bytes);
      return NULL;
    }
    bytes[i / 2] = (uint8_t)(high << 4 | low);
  }
  return bytes;
}

static char *copy_text(const char *text) {
  const size_t size = strlen(text) + 1;
  return memcpy(allocate(size), text, size);
}

static void add_field(vector_record *record, char *line, const char *path) {
  char *equals = strstr(line, " =");
  if (equals == NULL || record->field_count == vector_fields_max) {
    stop(path, record->line, "expected at most 12 lines `field = value`");
    return;
  }
  *equals = '\0';
  char *value = equals + 2;
  value += *value == ' ';
  vector_field *field = &record->fields[record->field_count++];
  field->name = copy_text(line);
  field->text = copy_text(value);
  field->bytes = parse_hex(value, &field->size);
}

void vector_free(vector_record *record) {
  for (size_t i = 0; i < record->field_count; i++) {
    free(record->fields[i].name);
    free(record->fields[i].text);
    free(record->fields[i].bytes);
  }
  record->field_count = 0;
}

static void open_section(vector_record *record, const char *line,
                         const char *path) {
  const size_t length = strlen(line);
  if (length < 3 || length - 2 >= sizeof record->slug ||
      line[length - 1] != ']') {
    stop(path, record->line, "expected a section `[slug]`");
  }
  memcpy(record->slug, line + 1, length - 2);
  record->slug[length - 2] = '\0';
}

/* A line of any length, without its end; NULL at the end of the file. */
static char *read_line(FILE *file) {
  size_t size = 0;
  size_t room = 256;
  char *line = allocate(room);
  while (fgets(line + size, (int)(room - size), file) != NULL) {
    size += strlen(line + size);
    if (size != 0 && line[size - 1] == '\n') {
      line[size - 1] = '\0';
      return line;
    }
    if (size == room - 1) {
      room *= 2;
      line = realloc(line, room);
      if (line == NULL) {
        abort();
      }
    }
  }
  if (size == 0) {
    free(line);
    return NULL;
  }
  return line;
}

bool vector_next(FILE *file, const char *path, vector_record *record) {
  bool ended = false;
  vector_free(record);
  for (char *line; !ended && (line = read_line(file)) != NULL; free(line)) {
    record->line++;
    if (line[0] == '[') {
      open_section(record, line, path);
    } else if (line[0] != '\0' && line[0] != '#') {
      add_field(record, line, path);
    }
    ended = line[0] == '\0' && record->field_count != 0;
  }
  if (record->field_count != 0 && record->slug[0] == '\0') {
    stop(path, record->line, "a record before the first section");
  }
  return record->field_count != 0;
}

const vector_field *vector_find(const vector_record *record, const char *name) {
  for (size_t i = 0; i < record->field_count; i++) {
    if (strcmp(record->fields[i].name, name) == 0) {
      return &record->fields[i];
    }
  }
  return NULL;
}

const vector_field *vector_hex(const vector_record *record, const char *name) {
  const vector_field *field = vector_find(record, name);
  if (field == NULL || field->bytes == NULL) {
    stop(name, record->line, "this field is missing or not hex");
  }
  return field;
}
