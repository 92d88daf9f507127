#!/bin/sh
# Makes the archive of the command and tries it as on a machine that has neither Java nor Maven: in
# a folder whose name has a space, without the user's environment. Called by run.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
. "$here/lib.sh"

(cd "$home" && ./mvnw -B -q -Pdist -Dmaven.test.skip=true -Dspotless.check.skip=true \
  -pl heddle-cli -am package)

folder="$work/a folder"
mkdir "$folder" "$work/home"
# Of several versions the one that was just made.
archive=$(ls -t "$home"/heddle-cli/target/heddle-*.tar.gz | head -n 1)
tar -xzf "$archive" -C "$folder"
echo "${archive##*/}: $(du -k "$archive" | cut -f 1) KiB, unpacked $(du -sk "$folder" | cut -f 1) KiB"

unpacked() {
  (cd "$folder" && exec env -i PATH=/usr/bin:/bin HOME="$work/home" \
    HEDDLE_OPTS="$options" ./heddle/bin/heddle "$@")
}

status=0
# $1 names the case, $2 is a part of what the command with the other arguments has to print.
expect() {
  name=$1
  expected=$2
  shift 2
  if unpacked "$@" >"$work/out" 2>&1 && grep -qF -- "$expected" "$work/out"; then
    echo "ok    $name"
  else
    echo "FAIL  $name: expected \"$expected\", but was:"
    cat "$work/out"
    status=1
  fi
}

# Starts a server with these options and sets `url`.
serve() {
  (cd "$folder" && exec env -i PATH=/usr/bin:/bin HOME="$work/home" \
    ./heddle/bin/heddle serve --port 0 "$@") >"$work/serve" 2>&1 &
  server=$!
  started="$started $server"
  url=
  while [ -z "$url" ]; do
    kill -0 "$server" 2>/dev/null || {
      cat "$work/serve"
      exit 1
    }
    url=$(sed -n 's/^listening on \(http[^ ]*\).*/\1/p' "$work/serve")
    [ -n "$url" ] || sleep 0.1
  done
}

options=
expect version "heddle " --version
# The JVM ends with an error if it cannot use the cache.
options=-XX:AOTMode=on
expect 'AOT cache' "heddle " --version
options=
expect completion 'complete -F' completion bash
serve
expect http 'Hello!' get "$url/hello"
expect load '100 answered' load "$url/hello" -n 100 --warm-up 100ms
serve --tls
expect 'HTTP/2 over TLS' 'HTTP/2 200' get -k -i "$url/hello"
exit "$status"
