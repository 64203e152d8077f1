#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs one libFuzzer target on its stored corpus, as ctest does:
#
#   run_fuzzer.sh PROGRAM
#
# New inputs go to fuzz/ beside the build, never into the stored corpus.
#
# environment:
#   SAMARA_FUZZ_SECONDS   seconds to run. Default: 20

set -eu
program=$1
name=$(basename "$program")
stored=$(dirname "$(readlink -f "$0")")/corpus/${name#fuzz_}
grown=fuzz/$name
findings=fuzz/findings/$name
log=fuzz/$name.log

if ! [ -d "$stored" ] || [ -z "$(ls -A "$stored")" ]; then
  echo "$name has no stored corpus: expected files in $stored"
  exit 1
fi
mkdir -p "$grown" "$findings"

# An input that takes longer than 10 s is a finding, too.
if ! "$program" "-max_total_time=${SAMARA_FUZZ_SECONDS:-20}" -timeout=10 \
  "-artifact_prefix=$PWD/$findings/" -print_final_stats=1 \
  "$grown" "$stored" >"$log" 2>&1; then
  tail -n 60 "$log"
  sed -n "s|.*Test unit written to \(.*\)|reproduce with: $program \1|p" "$log"
  exit 1
fi

inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ "${inputs:-0}" -eq 0 ]; then
  echo 'no input was tried'
  exit 1
fi
echo "$inputs inputs"
