#!/bin/sh
# Builds what is published twice, jars of sources and documentation too, in two folders with
# different names, time zones, languages and numbers of threads, and compares the jars byte by
# byte. Called by run; takes as long as two builds without tests. With names of modules, such as
# :heddle-http, only these and what they need.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
. "$here/lib.sh"

# The files of the checkout as they are now, without what a build has left there.
copy_checkout() {
  mkdir -p "$1"
  (cd "$home" && git ls-files -z --cached --others --exclude-standard |
    xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\n" "$file"; done' sh |
    tar -cf - -T -) | tar -xf - -C "$1"
}

# Builds in the folder $1; the rest are options of Maven.
build_in() {
  folder=$1
  shift
  (cd "$folder" && ./mvnw -B -q -Prelease -Dgpg.skip -Dheddle.url=https://heddle.example \
    -Dmaven.test.skip=true -Dspotless.check.skip=true "$@" -pl "$modules" -am verify)
}

modules=$(echo "$*" | tr ' ' ,)
least=2
if [ -z "$modules" ]; then
  modules=$(sed -n 's#.*<artifactId>\(heddle-.*\)</artifactId>#:\1#p' \
    "$home/heddle-bom/pom.xml" | sort -u | paste -s -d , -)
  least=60
fi

echo "building the first time"
copy_checkout "$work/first"
TZ=UTC LC_ALL=C build_in "$work/first"
echo "building the second time"
copy_checkout "$work/second/deeper"
TZ=Pacific/Auckland LC_ALL=C.UTF-8 MAVEN_OPTS='-Duser.language=de -Duser.country=DE' \
  build_in "$work/second/deeper" -T1

jars=0
different=0
for jar in $(cd "$work/first" && find . -path '*/target/*.jar' ! -path '*/target/*/*' | sort); do
  jars=$((jars + 1))
  cmp "$work/first/$jar" "$work/second/deeper/$jar" || different=$((different + 1))
done
if [ "$different" -ne 0 ] || [ "$jars" -lt "$least" ]; then
  echo "FAIL  $different of $jars jars differ between two builds"
  exit 1
fi
echo "ok    $jars jars, equal in both builds"
