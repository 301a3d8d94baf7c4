#!/usr/bin/env bash
# A pack that belongs to the account which owns the program, as software on clusters does, serves every user; one of an
# account that owns nothing of what runs serves nobody else.
# Usage: account.sh PROGRAM LIBRARY     Exit 77: only root can give files away.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[[ $(id -u) == 0 ]] || { echo "skipped: only root can give files away"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
fail() { echo "$*" >&2; exit 1; }
readonly owner=4101 stranger=4102 user=4103

mkdir "$folder/app" "$folder/packs" "$folder/home"
cp -L "$1" "$folder/app/alnsmith"
cp -L "$2" "$folder/app/"
cp -r "$root/specs" "$folder/app/specs"
"$1" pack build dna-global-affine --texts "$root/generated" --target scalar -o "$folder/packs/a.pack" --quiet
cp "$root"/tests/data/lambda_{reads.fastq,windows.fasta}.gz "$folder/home/"
chown -R "$user:$user" "$folder/home"

# As the user: the program with that pack alone.
align() {
  setpriv --reuid="$user" --regid="$user" --clear-groups env -u ALNSMITH_CACHE HOME="$folder/home" LD_LIBRARY_PATH="$folder/app" \
    "$folder/app/alnsmith" align --spec dna-global-affine --pack "$folder/packs/a.pack" --isa scalar \
    --query "$folder/home/lambda_reads.fastq.gz" --target "$folder/home/lambda_windows.fasta.gz" \
    --out "$folder/home/scores.tsv" 2>"$folder/log"
}
refused() {
  if align; then fail "$1: loaded"; fi
  grep -q "$2" "$folder/log" || { cat "$folder/log" >&2; fail "$1: another reason"; }
}

chown -R "$owner:$owner" "$folder/app" "$folder/packs"
align || { cat "$folder/log" >&2; fail "the pack of the program's owner is not loaded"; }
chmod g+w "$folder/packs/a.pack"
refused "a pack that others may write" "others may write to it"
chmod g-w "$folder/packs/a.pack"
chown -R "$stranger:$stranger" "$folder/packs"
refused "a stranger's pack" "belongs to another user"
chown -R "$owner:$owner" "$folder/packs"
chown root:root "$folder/app/alnsmith"
align || { cat "$folder/log" >&2; fail "the pack of the library's owner is not loaded"; }
chown -R root:root "$folder/app"
refused "the pack of an account that owns nothing of what runs" "belongs to another user"
echo "loaded for the owner of program or library, refused for others"
