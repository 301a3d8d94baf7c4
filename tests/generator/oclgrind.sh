#!/usr/bin/env bash
# Runs a test of OpenCL kernels (its path is the argument) on Oclgrind as the only OpenCL platform. The test fails on what
# Oclgrind reports: races, accesses out of bounds, barriers that not all threads reach. Exit 77: Oclgrind is missing.
set -euo pipefail
for folder in /usr/lib/*-linux-gnu/oclgrind /usr/lib/*-linux-gnu /usr/lib/oclgrind /usr/local/lib; do
  platform="$folder/liboclgrind-rt-icd.so"
  [ -e "$platform" ] && break
done
if [ ! -e "$platform" ]; then
  echo "skipped: Oclgrind is not installed (Debian: oclgrind)"
  exit 77
fi
export OCL_ICD_VENDORS="$platform" OCLGRIND_DATA_RACES=1 OCLGRIND_MAX_ERRORS=20 ALNSMITH_EVERY=1
exec "$1"
