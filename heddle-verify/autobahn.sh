#!/bin/sh
# Runs Autobahn's cases for WebSockets: for our client and our server, or the one that the first
# argument names, all cases or those that follow, such as '1.*'. The suite runs on Python 2.7 alone,
# which newer systems do not have: WSTEST names its command wstest, or PYTHON27 a Python 2.7 that was
# built with 32-bit characters, as the wheels need. What the suite needs goes to a folder below
# target. Called by run.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
tools=$here/target/tools
. "$home/.mvn/find-jdk.sh"
find_jdk
. "$here/lib.sh"

# Wheels for Python 2.7 of what the suite asks for, and the suite, which is sources.
wheels='Twisted==20.3.0 zope.interface==5.4.0 constantly==15.1.0 incremental==21.3.0 attrs==20.3.0
  hyperlink==21.0.0 PyHamcrest==1.9.0 Automat==20.2.0 Jinja2==2.11.3 MarkupSafe==1.1.1
  Werkzeug==1.0.1 klein==20.6.0 six==1.16.0 idna==2.10 typing==3.10.0.0 setuptools==44.1.1
  Tubes==0.2.0 unittest2==1.1.0 pyOpenSSL==21.0.0 cryptography==3.3.2 cffi==1.15.1
  pycparser==2.21 enum34==1.1.10 ipaddress==1.0.23 service_identity==18.1.0 pyasn1==0.5.1
  pyasn1_modules==0.3.0 linecache2==1.0.0 traceback2==1.4.0 argparse==1.4.0'
sources='txaio==2.1.0 autobahn==0.10.9 autobahntestsuite==25.10.1'

# Fetches Python 2.7 from the release of Debian that had it last, by the mirror that apt uses.
fetch_python() {
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep debian/$ | head -n 1)
  [ -n "$mirror" ] || return 1
  apt=$tools/python27
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb $mirror bullseye main" >"$apt/sources.list"
  old="-o Dir::Etc::sourcelist=$apt/sources.list -o Dir::Etc::sourceparts=-
    -o Dir::State::lists=$apt/lists -o Dir::Cache=$apt/cache"
  # shellcheck disable=SC2086 # the options are words
  apt-get -q $old update >"$work/apt" 2>&1 &&
    (cd "$apt" && apt-get -q $old download python2.7 python2.7-minimal libpython2.7-stdlib \
      libpython2.7-minimal libffi7 libssl1.1 >>"$work/apt" 2>&1) || return 1
  for package in "$apt"/*.deb; do
    dpkg -x "$package" "$apt/root"
  done
}

# Whether a command is a Python that runs (a version manager installs names that do not) and has the
# wide characters of the wheels' ABI, cp27mu.
runs_wheels() {
  "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (2, 7) or sys.maxunicode < 0x10ffff)' \
    2>/dev/null
}

install_suite() {
  [ ! -x "$tools/wstest" ] || return 0
  mkdir -p "$tools/autobahn/site" "$tools/autobahn/files"
  python=${PYTHON27:-python2.7}
  libraries=
  if ! runs_wheels "$python"; then
    if [ -n "${PYTHON27:-}" ]; then
      echo "autobahn: PYTHON27=$PYTHON27 is no Python 2.7 with 32-bit characters" >&2
      return 1
    fi
    fetch_python || {
      [ ! -f "$work/apt" ] || tail -n 5 "$work/apt" >&2
      echo "autobahn: there is no python2.7; PYTHON27 can name one, or WSTEST the command" >&2
      return 1
    }
    python=$tools/python27/root/usr/bin/python2.7
    libraries=$(dirname "$(find "$tools/python27/root" -name 'libssl.so.1.1' | head -n 1)")
  fi
  files=$tools/autobahn/files
  site=$tools/autobahn/site
  # shellcheck disable=SC2086 # several names
  python3 -m pip download -q --no-deps --only-binary=:all: --platform manylinux1_x86_64 \
    --platform manylinux2010_x86_64 --platform any --python-version 27 --implementation cp \
    --abi cp27mu --abi none -d "$files" $wheels || return 1
  # shellcheck disable=SC2086
  python3 -m pip download -q --no-deps --no-binary :all: -d "$files" $sources || return 1
  for wheel in "$files"/*.whl; do
    python3 -m zipfile -e "$wheel" "$site"
  done
  for archive in "$files"/*.tar.gz; do
    tar -xzf "$archive" -C "$files"
  done
  cp -r "$files/txaio-2.1.0/txaio" "$files/autobahn-0.10.9/autobahn" \
    "$files/autobahntestsuite-25.10.1/autobahntestsuite" "$site"
  : >"$site/zope/__init__.py"
  {
    echo '#!/bin/sh'
    if [ -n "$libraries" ]; then
      echo "export LD_LIBRARY_PATH='$libraries' PYTHONHOME='$tools/python27/root/usr'"
    fi
    echo "export PYTHONPATH='$site:$site/autobahntestsuite' PYTHONDONTWRITEBYTECODE=1"
    echo "exec '$python' -c 'from autobahntestsuite.wstest import run; run()' \"\$@\""
  } >"$tools/wstest"
  chmod +x "$tools/wstest"
}

build
if [ -z "${WSTEST:-}" ]; then
  install_suite || exit 2
  WSTEST=$tools/wstest
fi
sides=${1:-client server}
[ $# -eq 0 ] || shift
status=0
for side in $sides; do
  java_main heddle.verify.conformance.WebSocketCases "$side" "$WSTEST" \
    "$here/target/autobahn-$side" "$@" || status=1
done
exit "$status"
