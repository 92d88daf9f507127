#!/bin/sh
# Applies each patch of heddle-verify/mutations to a copy, runs the soak on that, and prints at which
# seed it was caught. Called by `heddle-verify/run mutations`, which has built everything; names of
# patches without their ending run only those. Ends with 1 when one is not caught within 200 seeds.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
. "$home/.mvn/find-jdk.sh"
find_jdk
seeds=${HEDDLE_SOAK_SEEDS:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

class_path=$here/target/classes:$here/target/lib/*

soak() {
  "$jdk/bin/java" -Xmx1g -ea -XX:+UseSerialGC --add-opens java.base/java.lang=ALL-UNNAMED \
    -Dheddle.soak.stuck=20 -cp "$work/classes:$class_path" heddle.verify.soak.Soak "$seeds" 0 \
    >"$work/out" 2>&1 || true
}

# Copies what the patch named $1 changes, changes it, and compiles that alone.
mutate() {
  rm -rf "$work/src" "$work/classes"
  mkdir -p "$work/src" "$work/classes"
  sed -n 's|^+++ b/||p' "$1" | sort -u >"$work/changed"
  while read -r file; do
    mkdir -p "$work/src/$(dirname "$file")"
    cp "$home/$file" "$work/src/$file"
  done <"$work/changed"
  patch -s -p1 -F3 -d "$work/src" <"$1" || return 1
  (cd "$work/src" && "$jdk/bin/javac" -nowarn -proc:none -d "$work/classes" \
    -cp "$class_path" @"$work/changed") 2>"$work/javac" || {
    cat "$work/javac" >&2
    return 1
  }
}

status=0
printf '%-32s %s\n' mutation 'caught at seed'
for patch in "$here"/mutations/*.patch; do
  name=$(basename "$patch" .patch)
  if [ $# -gt 0 ]; then
    case " $* " in
      *" $name "*) ;;
      *) continue ;;
    esac
  fi
  if ! mutate "$patch"; then
    printf '%-32s %s\n' "$name" 'the patch does not fit any more'
    status=1
    continue
  fi
  soak
  caught=$(sed -n 's/^again: .*heddle.soak.first=//p' "$work/out" | sort -n | head -n 1)
  why=$(sed -n 's/^  \(..*\)/\1/p' "$work/out" | head -n 1 | cut -c1-100)
  if [ -n "$caught" ]; then
    printf '%-32s %-5s %s\n' "$name" "$caught" "$why"
  else
    printf '%-32s %s\n' "$name" "not in $seeds seeds: $(tail -n 1 "$work/out")"
    status=1
  fi
done
exit "$status"
