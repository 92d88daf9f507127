#!/bin/sh
# Races Heddle against itself from this checkout: the first race makes an AOT cache, the next ones
# start from it, and a cache that cannot be read stops no race. Called by run.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
. "$here/lib.sh"

caches=$home/heddle-bench/target/aot
rm -rf "$caches"

status=0
# $1 names the case, $2 is what the race has to print, $3 what it must not print.
race() {
  if (cd "$work" && "$home/heddle" race h1-64 --clients heddle --rounds 3 --report report) \
    >"$work/out" 2>&1 && grep -qF -- "$2" "$work/out" && ! grep -qF -- "$3" "$work/out"; then
    echo "ok    $1"
  else
    echo "FAIL  $1: expected \"$2\" and not \"$3\", but was:"
    cat "$work/out"
    status=1
  fi
}

race 'first race' 'training the clients' 'the AOT cache of'
# A JVM ends with an error if it cannot use its cache.
JDK_JAVA_OPTIONS=-XX:AOTMode=on
export JDK_JAVA_OPTIONS
race 'next race' '3 rounds in' 'training the clients'
unset JDK_JAVA_OPTIONS
for cache in "$caches"/*.aot; do
  echo 'not a cache' >"$cache"
done
race 'unreadable cache' '3 rounds in' 'no client could be measured'
rm -rf "$caches"
exit "$status"
