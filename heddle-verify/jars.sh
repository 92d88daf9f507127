#!/bin/sh
# Runs a small program (jars/smoke) against the packaged jars as a user does: on the class path, on
# the module path, and with the agent. The engine runs from its six jars, without any other.
# With JAVA21_HOME, on that Java too. Called by run.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
. "$home/.mvn/find-jdk.sh"
find_jdk
. "$here/lib.sh"

engine='http codec transport connection client server'
agent=$home/heddle-adapters/heddle-agent/target
(cd "$home" && ./mvnw -B -q -Pconformance -Dmaven.test.skip=true -Dspotless.check.skip=true \
  -pl heddle-verify,heddle-adapters/heddle-agent -am package)

mkdir "$work/jars" "$work/agent"
for module in $engine; do
  cp "$home/heddle-$module/target/heddle-$module-"[0-9]*.jar "$work/jars"
done
cp "$agent"/heddle-agent-*.jar "$work/agent"
rm -f "$work"/*/*-sources.jar "$work"/*/*-javadoc.jar
agent=$(echo "$work"/agent/*.jar)

# Annotations that the compiler looks for; no program needs them when it runs.
annotations=$(echo "$here"/target/lib/jspecify-*.jar)
"$jdk/bin/javac" --release 21 -d "$work/smoke" -p "$work/jars:$annotations" \
  "$here/jars/module-info.java" "$here"/jars/smoke/*.java

status=0
# Compares what the program prints: $1 names the case, $2 is expected, the rest are java's options.
expect() {
  name=$1
  expected=$2
  shift 2
  printed=$("$java" "$@" 2>"$work/errors") || true
  if [ "$printed" = "$expected" ]; then
    echo "ok    $name: $printed"
  else
    echo "FAIL  $name: expected \"$expected\", but was \"$printed\""
    cat "$work/errors"
    status=1
  fi
}

# The program in all of its ways, on $java.
smoke() {
  "$java" -version 2>&1 | head -n 1
  expect 'class path' '200 Hello! from the class path' \
    -cp "$work/jars/*:$work/smoke" smoke.Smoke
  expect 'module path' '200 Hello! from modules' \
    -p "$work/jars:$work/smoke" -m smoke/smoke.Smoke
  expect 'without the agent' '200 Hello! from the JDK' \
    -cp "$work/jars/*:$work/smoke" smoke.JdkSmoke
  expect 'agent' '200 Hello! from the agent' \
    "-javaagent:$agent=quiet" -cp "$work/jars/*:$work/smoke" smoke.JdkSmoke
  expect 'agent on the module path' '200 Hello! from the agent' \
    "-javaagent:$agent=quiet" -p "$work/jars:$work/smoke" -m smoke/smoke.JdkSmoke
}
java=$jdk/bin/java
smoke
if [ -n "${JAVA21_HOME:-}" ]; then
  java=$JAVA21_HOME/bin/java
  smoke
fi

# Each jar that is published names its licence; no two of the engine share a package.
for jar in "$work"/*/*.jar; do
  "$jdk/bin/jar" -tf "$jar" | grep -qx META-INF/LICENSE || {
    echo "FAIL  ${jar##*/} has no META-INF/LICENSE"
    status=1
  }
done
"$jdk/bin/java" --validate-modules -p "$work/jars" >"$work/errors" || {
  cat "$work/errors"
  status=1
}
exit "$status"
