#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Usage: every_call_checked.sh LIBRARY PROGRAM
#
# The program was linked without what it does not reach. A function of the
# library that is not in it is one that the constant-time check never calls.
set -eu

functions() {
  nm --defined-only "$1" 2>/dev/null |
    awk '$2 ~ /^[Tt]$/ && $3 ~ /^samara_/ { print $3 }' | sort -u
}

missing=$(functions "$1" | grep -vxF -e "$(functions "$2")" || true)
count=$(functions "$1" | wc -l)
if [ "$count" -lt 50 ]; then
  echo "only $count functions found in $1"
  echo "0 passed, 1 failed"
  exit 1
fi
if [ -n "$missing" ]; then
  echo "not checked for constant time:"
  echo "$missing"
  echo "$((count - $(echo "$missing" | wc -l))) passed, $(echo "$missing" | wc -l) failed"
  exit 1
fi
echo "$count passed, 0 failed"
