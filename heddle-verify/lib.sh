# Sourced by run and interop.sh, which have set `home`, `here`, `tools` and `jdk`. POSIX sh.

# The tool's last release, with all of its cases: 146 for a server, 57 for a client.
h2spec_version=v2.2.1+incompatible
h2spec_cases=146
# How long the installation of a tool may take, in seconds.
install_limit=600

work=$(mktemp -d)
started=
# Ends what was started, and nothing else.
end_all() {
  for process in $started; do
    kill "$process" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap end_all EXIT
trap 'exit 1' HUP INT TERM

build() {
  [ -z "${HEDDLE_BUILT:-}" ] || return 0
  (cd "$home" && ./mvnw -B -q -Pconformance -Dmaven.test.skip=true -Dspotless.check.skip=true \
    -pl heddle-verify -am package)
  HEDDLE_BUILT=yes
  export HEDDLE_BUILT
}

class_path=$here/target/classes:$here/target/lib/*

java_main() {
  "$jdk/bin/java" -cp "$class_path" "$@"
}

heddle() {
  java_main -XX:+UseSerialGC -XX:TieredStopAtLevel=1 heddle.cli.Main "$@"
}

# Starts `heddle serve` with the options given and sets `port`.
start_heddle() {
  : >"$work/serve"
  # Not through a function, whose process would be a shell's, and killed instead of the server.
  "$jdk/bin/java" -cp "$class_path" heddle.cli.Main serve --port 0 "$@" \
    >"$work/serve" 2>"$work/serve.err" &
  server=$!
  started="$started $server"
  port=
  while [ -z "$port" ]; do
    if ! kill -0 "$server" 2>/dev/null; then
      echo "heddle serve $* did not start:" >&2
      cat "$work/serve.err" >&2
      return 1
    fi
    port=$(sed -n '1s/^listening on https\{0,1\}:..*:\([0-9]*\).*$/\1/p' "$work/serve")
    [ -n "$port" ] || sleep 0.1
  done
}

stop_heddle() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
}

# Installs the tool named $1 below target, once.
install_tool() {
  [ ! -x "$tools/$1" ] || return 0
  if ! command -v go >/dev/null 2>&1; then
    echo "$1 is installed with go, which is not here: install Go (Debian: golang-go)." >&2
    return 1
  fi
  echo "installing $1 $h2spec_version: about a minute the first time, $install_limit s at most" >&2
  mkdir -p "$tools"
  # Go's own output shows how far it came, -v lists each package as it is compiled.
  # Not every system has timeout; without it there is no limit.
  limit=$(command -v timeout || true)
  result=0
  GOBIN=$tools ${limit:+"$limit" "$install_limit"} \
    go install -v "github.com/summerwind/h2spec/cmd/$1@$h2spec_version" \
    >"$work/install" 2>&1 || result=$?
  [ "$result" -ne 0 ] || return 0
  tail -n 20 "$work/install" >&2
  if [ "$result" -eq 124 ]; then
    echo "$1 was not installed within $install_limit s. The last lines above show whether go was" >&2
    echo "downloading from GOPROXY=$(go env GOPROXY), which must be reachable, or compiling." >&2
    echo "Try again when the machine is less busy: go keeps what it has done." >&2
  else
    echo "$1 was not installed: go install ended with $result." >&2
  fi
  return 1
}

# One run of h2spec: $1 says which in the summary, the rest are its options.
h2spec_once() {
  name=$1
  shift
  # An answer that takes a moment, so that the frame that is judged comes before it.
  "$tools/h2spec" --strict --host 127.0.0.1 --port "$port" --path /delay/100 "$@" \
    >"$work/h2spec" 2>&1 || true
  summary=$(sed -n 's/^\([0-9]*\) tests, \([0-9]*\) passed.*/\2 \1/p' "$work/h2spec" | tail -n 1)
  passed=${summary% *}
  total=${summary#* }
  if [ "${passed:-0}" -ne "$h2spec_cases" ] || [ "$passed" != "$total" ]; then
    sed -n '/^Failures:/,$p' "$work/h2spec"
    [ -n "$summary" ] || tail -n 20 "$work/h2spec"
    echo "h2spec, $name: ${passed:-0} of $h2spec_cases passed"
    return 1
  fi
  echo "h2spec, $name: $passed of $total passed"
}

run_h2spec() {
  install_tool h2spec || return 1
  result=0
  start_heddle || return 1
  h2spec_once cleartext || result=1
  stop_heddle
  start_heddle --tls || return 1
  h2spec_once TLS --tls --insecure || result=1
  stop_heddle
  return "$result"
}

run_h2specd() {
  install_tool h2specd || return 1
  java_main heddle.verify.conformance.HostileServers "$tools/h2specd"
}

# Takes names of trials, or --list.
run_torture() {
  java_main heddle.verify.torture.Torture "$here/target/torture.md" "$@"
}
