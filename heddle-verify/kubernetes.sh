#!/bin/sh
# Checks what `heddle k8s` prints against the schemas of several versions of Kubernetes, which
# kubernetes-validate carries, strictly: an unknown field is an error. Called by run.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
tools=$here/target/tools
. "$home/.mvn/find-jdk.sh"
find_jdk
. "$here/lib.sh"
build

validator=$tools/kubernetes/bin/kubernetes-validate
if [ ! -x "$validator" ]; then
  mkdir -p "$tools"
  if ! python3 -m venv "$tools/kubernetes" ||
    ! "$tools/kubernetes/bin/pip" -q install kubernetes-validate; then
    echo "kubernetes-validate could not be installed: python3 with venv and pip is needed" >&2
    exit 2
  fi
fi

status=0
# Prints the job with these options, and checks it: the options of k8s, then those of the load.
check() {
  if ! heddle k8s --image registry.example/heddle:1 "$@" >"$work/job.yaml"; then
    status=1
    return
  fi
  # The first version with backoffLimitPerIndex by default, and the newest known one.
  for version in 1.29.0 ''; do
    if "$validator" --strict --quiet ${version:+-k "$version"} "$work/job.yaml"; then
      echo "ok    Kubernetes ${version:-newest}: k8s $*"
    else
      echo "FAIL  Kubernetes ${version:-newest}: k8s $*"
      status=1
    fi
  done
}

check --pods 8 -- http://service:8080/hello -r 20000 -c 512 -d 60s
check --pods 1 --name one --namespace shop --command heddle --cpu 500m --memory 2Gi --hdr \
  -- http://service/ -n 10 -H 'X-One: $HOME $(NAME) "a"' -b on

# The validator would find a mistake.
sed 's/completionMode/completionmode/' "$work/job.yaml" >"$work/misspelt.yaml"
if "$validator" --strict --quiet "$work/misspelt.yaml" >"$work/out" 2>&1; then
  echo "FAIL  a misspelt field was not found"
  status=1
fi
exit "$status"
