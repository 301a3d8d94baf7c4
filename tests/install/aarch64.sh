#!/usr/bin/env bash
# Another processor: the library alone cross-compiles for aarch64, the example builds against it with this machine's
# generator, and scores under qemu as it does here. Needs what `tools/setup cross` fetches; ALNSMITH_AARCH64_DIR.
# Usage: aarch64.sh PREFIX SOURCE      (PREFIX: an installation for this machine)
source "$(dirname "$0")/common.sh"
sysroot=${ALNSMITH_AARCH64_DIR:-$HOME/.local/share/alnsmith/aarch64}
for tool in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$tool" >/dev/null || skip "no $tool; tools/setup cross installs it"
done
[[ -e $sysroot/usr/lib/aarch64-linux-gnu/libtbb.so ]] || skip "no libraries for aarch64 in $sysroot; tools/setup cross fetches them"
unset CXX CC
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cat >"$folder/toolchain.cmake" <<TEXT
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT "-isystem $sysroot/usr/include/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,$sysroot/usr/lib/aarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH "$sysroot" "$folder/prefix")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(what LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_\${what} ONLY)
endforeach()
TEXT
cross=(-G Ninja -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake")
quietly cmake -S "$2" -B "$folder/library" "${cross[@]}" -DALNSMITH_GENERATOR=OFF -DALNSMITH_PROGRAM=OFF \
  -DALNSMITH_TESTS=OFF "${launcher[@]}"
quietly cmake --build "$folder/library" -j "$(nproc)"
quietly cmake --install "$folder/library" --prefix "$folder/prefix"
quietly cmake -S "$2/examples/linked" -B "$folder/there" "${cross[@]}" -Dalnsmith_DIR="$folder/prefix/lib/cmake/alnsmith" \
  -DALNSMITH_GENERATE_EXECUTABLE="$1/bin/alnsmith-generate"
quietly cmake --build "$folder/there"
quietly cmake -S "$2/examples/linked" -B "$folder/here" -G Ninja -DCMAKE_PREFIX_PATH="$1"
quietly cmake --build "$folder/here"

awk 'BEGIN { srand(11); for (i = 0; i < 200; ++i) { q = t = ""; n = 1 + int(80 * rand()); m = 1 + int(120 * rand());
  for (k = 0; k < n; ++k) q = q substr("ACGTN", 1 + int(5 * rand()), 1);
  for (k = 0; k < m; ++k) t = t substr("ACGTN", 1 + int(5 * rand()), 1); print q, t } }' >"$folder/pairs"
"$folder/here/place" <"$folder/pairs" >"$folder/here.scores" 2>/dev/null
qemu-aarch64 -L /usr/aarch64-linux-gnu \
  -E LD_LIBRARY_PATH="/usr/aarch64-linux-gnu/lib:$sysroot/usr/lib/aarch64-linux-gnu:$folder/prefix/lib" \
  "$folder/there/place" <"$folder/pairs" >"$folder/there.scores" 2>"$folder/log" || { cat "$folder/log" >&2; fail "does not run"; }
grep -q 'kernels for scalar' "$folder/log" || fail "other kernels than scalar"
[[ $(wc -l <"$folder/there.scores") == 200 ]] || fail "not all pairs are scored"
cmp "$folder/here.scores" "$folder/there.scores" || fail "aarch64 scores differently"
