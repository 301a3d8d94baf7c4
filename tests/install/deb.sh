#!/usr/bin/env bash
# The Debian packages: each file in one of them, dependencies that Debian has, no script but ldconfig's; unpacked they
# work, and others build with them.
# Usage: deb.sh BUILD SOURCE VERSION
source "$(dirname "$0")/common.sh"
for tool in dpkg-deb dpkg-shlibdeps file; do
  command -v "$tool" >/dev/null || skip "no $tool (Debian: dpkg-dev, file)"
done
version=$3 minor=${3%.*}
# Not compressed: that takes a third of the time, and says nothing of what is inside.
quietly cpack --config "$1/CPackConfig.cmake" -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=none -B "$folder/out"
arch=$(dpkg --print-architecture)
packages=("libalnsmith$minor" libalnsmith-dev alnsmith)
if [[ -x $1/alnsmith-generate ]]; then packages+=(alnsmith-generate); fi
[[ $(find "$folder/out" -maxdepth 1 -name '*.deb' | wc -l) == "${#packages[@]}" ]] || fail "other packages than ${packages[*]}"

mkdir "$folder/root"
for package in "${packages[@]}"; do
  deb=$folder/out/${package}_${version}_$arch.deb
  [[ -e $deb ]] || fail "no ${deb##*/}"
  dpkg-deb -f "$deb" >"$folder/control"
  grep -q "^Version: $version\$" "$folder/control" || fail "$package: another version"
  grep -qE '^Description: [a-z].{10,78}$' "$folder/control" || { cat "$folder/control" >&2; fail "$package: no one-line description"; }
  dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$' | sort >"$folder/$package.files"
  grep -qx "./usr/share/doc/$package/copyright" "$folder/$package.files" || fail "$package: no copyright file"
  if grep -vE '^\./usr/(bin|lib|include|share)/' "$folder/$package.files"; then fail "$package: files outside /usr"; fi
  mkdir "$folder/scripts"
  dpkg-deb -e "$deb" "$folder/scripts"
  for script in "$folder/scripts"/{preinst,prerm,postinst,postrm,config}; do
    [[ -e $script ]] || continue
    [[ $package == libalnsmith[0-9]* && ${script##*/} == post* ]] || fail "$package: has a ${script##*/}"
    if grep -vE '^$|^#!/bin/sh|^set -e|^if \[ "\$1" = |^[[:space:]]*ldconfig$|^fi' "$script"; then fail "$package: ${script##*/} does more than ldconfig"; fi
  done
  rm -rf "$folder/scripts"
  dpkg-deb -x "$deb" "$folder/root"
done
sort "$folder"/*.files | uniq -d >"$folder/twice"
[[ ! -s $folder/twice ]] || { cat "$folder/twice" >&2; fail "files in two packages"; }

# What belongs where.
has() { grep -qE "^\./usr/$2\$" "$folder/$1.files" || { cat "$folder/$1.files" >&2; fail "$1: no $2"; }; }
has "libalnsmith$minor" "lib(/[^/]*)?/libalnsmith\.so\.${version//./\\.}"
has libalnsmith-dev 'lib(/[^/]*)?/libalnsmith\.so'
has libalnsmith-dev 'lib(/[^/]*)?/libalnsmith\.a'
has libalnsmith-dev 'lib(/[^/]*)?/pkgconfig/alnsmith-static\.pc'
has libalnsmith-dev 'share/alnsmith/tsan\.supp'
has libalnsmith-dev 'include/alnsmith/alnsmith\.hpp'
has libalnsmith-dev 'lib(/[^/]*)?/pkgconfig/alnsmith\.pc'
has libalnsmith-dev 'lib(/[^/]*)?/cmake/alnsmith/alnsmithConfig\.cmake'
has alnsmith 'bin/alnsmith'
has alnsmith 'share/alnsmith/specs/edit-distance\.yaml'
depends() { dpkg-deb -f "$folder/out/${1}_${version}_$arch.deb" Depends; }
[[ $(depends alnsmith) == *"libalnsmith$minor (= $version)"* ]] || fail "alnsmith needs $(depends alnsmith)"
[[ $(depends libalnsmith-dev) == *"libalnsmith$minor (= $version)"* ]] || fail "libalnsmith-dev needs $(depends libalnsmith-dev)"
recommended=", $(dpkg-deb -f "$folder/out/libalnsmith-dev_${version}_$arch.deb" Recommends),"
for package in libtbb-dev libssl-dev; do  # of the static library
  [[ $recommended == *", $package,"* ]] || fail "libalnsmith-dev does not recommend $package"
done
for package in "libalnsmith$minor" alnsmith; do
  [[ $(depends "$package") == *libstdc++6* ]] || fail "$package: dependencies are not worked out: $(depends "$package")"
  if [[ $(depends "$package") == *llvm* ]]; then fail "$package needs LLVM"; fi
done
# apt finds all of it, on a machine with Debian's lists.
if apt-cache show libtbb12 >/dev/null 2>&1; then
  refused=$(apt-get install -s --no-install-recommends "$folder"/out/*.deb 2>&1) || { echo "$refused" >&2; fail "apt cannot install them"; }
fi

usr=$folder/root/usr
printf '>q\nACGT\n' >"$folder/q.fa"
[[ $("$usr/bin/alnsmith" version) == *"$version"* ]] || fail "the program does not start"
[[ -x $usr/bin/alnsmith-generate ]] || exit 0
"$usr/bin/alnsmith" align --spec edit-distance --query "$folder/q.fa" --target "$folder/q.fa" --quiet --out "$folder/scores"
[[ $(tail -n 1 "$folder/scores") == $'q\tq\t0' ]] || fail "other scores: $(cat "$folder/scores")"
sed 's/SPECS reads.yaml)/SPECS reads.yaml TARGETS scalar)/' "$2/examples/linked/CMakeLists.txt" >"$folder/CMakeLists.txt"
cp "$2"/examples/linked/{main.cpp,reads.yaml,transitions.mat} "$folder/"
quietly cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$usr"
quietly cmake --build "$folder/build"
[[ $(printf 'ACGTT TTACATTGG\n' | "$folder/build/place" 2>/dev/null) == '19 4 6' ]] || fail "other scores of the example"
