#!/usr/bin/env bash
# Another processor: the library alone cross-compiles for aarch64, the example builds against it with this machine's
# generator, and scores under qemu as it does here, by every target that the machine has; so does a pack that is built
# here. Needs what `tools/setup cross` fetches; ALNSMITH_AARCH64_DIR.
# Usage: aarch64.sh PREFIX SOURCE      (PREFIX: an installation for this machine)
source "$(dirname "$0")/common.sh"
full_only
sysroot=${ALNSMITH_AARCH64_DIR:-$HOME/.local/share/alnsmith/aarch64}
for tool in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$tool" >/dev/null || skip "no $tool; tools/setup cross installs it"
done
[[ -e $sysroot/usr/lib/aarch64-linux-gnu/libtbb.so ]] || skip "no libraries for aarch64 in $sysroot; tools/setup cross fetches them"
unset CXX CC
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cross=(-G Ninja -DCMAKE_TOOLCHAIN_FILE="$2/cmake/toolchains/aarch64.cmake" -DCMAKE_FIND_ROOT_PATH="$folder/prefix")
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
there() {
  qemu-aarch64 -L /usr/aarch64-linux-gnu \
    -E LD_LIBRARY_PATH="/usr/aarch64-linux-gnu/lib:$sysroot/usr/lib/aarch64-linux-gnu:$folder/prefix/lib" "$@"
}
for isa in aarch64-neon scalar; do
  ALNSMITH_ISA=$isa there "$folder/there/place" <"$folder/pairs" >"$folder/there.scores" 2>"$folder/log" ||
    { cat "$folder/log" >&2; fail "does not run"; }
  grep -q "kernels for $isa" "$folder/log" || { cat "$folder/log" >&2; fail "other kernels than $isa"; }
  [[ $(wc -l <"$folder/there.scores") == 200 ]] || fail "not all pairs are scored"
  cmp "$folder/here.scores" "$folder/there.scores" || fail "$isa scores differently"
done
if ALNSMITH_ISA=x86-64-v2 there "$folder/there/place" <"$folder/pairs" >/dev/null 2>"$folder/log"; then
  fail "another machine's instruction set is taken"
fi
grep -q "use one of aarch64-neon, scalar" "$folder/log" || { cat "$folder/log" >&2; fail "does not say which there are"; }

# A pack for that machine, made here.
spec=$2/examples/linked/reads.yaml
quietly "$1/bin/alnsmith" pack build "$spec" --target aarch64-neon -o "$folder/arm.pack"
"$1/bin/alnsmith" pack list "$folder/arm.pack" | grep -q aarch64-neon || fail "the pack holds no such unit"
refuses 'makes code for .*, not for aarch64: name a compiler that does with --compiler' \
  "$1/bin/alnsmith" pack build "$spec" --target aarch64-neon --compiler g++ -o "$folder/wrong.pack"
cat >"$folder/packed.cpp" <<'TEXT'
#include <alnsmith/alnsmith.hpp>
#include <cstdio>
#include <iostream>
#include <string>
int main(int, char **words) {
  alnsmith::Sources sources;
  sources.kernel_dirs = {words[1]};
  const auto aligner = alnsmith::Aligner::open({"", "reads", words[2]}, sources);
  if (!aligner) return std::cerr << aligner.error().message << "\n", 1;
  std::cerr << aligner->target() << "\n";
  std::vector<std::string> texts;
  for (std::string word; std::cin >> word;) texts.push_back(word);
  std::vector<std::string_view> reads, pieces;
  for (std::size_t i = 0; i < texts.size(); i += 2) reads.push_back(texts[i]), pieces.push_back(texts[i + 1]);
  std::vector<std::int32_t> scores(reads.size()), ends(reads.size()), piece_ends(reads.size());
  const auto report = aligner->align_pairs(reads, pieces, {{alnsmith::Output::score, scores},
                                                           {alnsmith::Output::query_end, ends},
                                                           {alnsmith::Output::target_end, piece_ends}});
  if (!report) return std::cerr << report.error().message << "\n", 1;
  for (std::size_t i = 0; i < scores.size(); ++i) std::printf("%d %d %d\n", scores[i], ends[i], piece_ends[i]);
}
TEXT
aarch64-linux-gnu-g++ -std=c++20 -I"$folder/prefix/include" "$folder/packed.cpp" -L"$folder/prefix/lib" -lalnsmith \
  -Wl,-rpath-link,"$sysroot/usr/lib/aarch64-linux-gnu" -o "$folder/packed"
hash=$("$1/bin/alnsmith" spec show "$spec" | grep -oE '[0-9a-f]{64}' | head -n 1)
there "$folder/packed" "$folder/arm.pack" "$hash" <"$folder/pairs" >"$folder/there.scores" 2>"$folder/log" ||
  { cat "$folder/log" >&2; fail "the pack does not load there"; }
grep -qx aarch64-neon "$folder/log" || fail "other kernels than the pack's"
cmp "$folder/here.scores" "$folder/there.scores" || fail "the pack scores differently"
