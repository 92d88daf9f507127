#!/bin/sh
# Our client against nginx and nghttpd, and our server against curl, nghttp and h2load: HTTP/1.1 and
# HTTP/2, in cleartext and over TLS. Called by heddle-verify/run. What is not installed is skipped,
# and said. Debian has them in nginx-light, nghttp2-server, nghttp2-client, curl and openssl.
set -eu

home=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$home/heddle-verify
tools=$here/target/tools
. "$home/.mvn/find-jdk.sh"
find_jdk
. "$here/lib.sh"
build

# Where Debian keeps servers.
PATH=$PATH:/usr/sbin
mebibyte=1048576
passed=0
failed=0
skipped=0

# Counts a case named $1: a line of its output $3 must match the extended regular expression $2.
judge() {
  if printf '%s\n' "$3" | tr -d '\r\000' | grep -Eq -- "$2"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    got=$(printf '%s' "$3" | tr -d '\000' | head -n 3 | cut -c 1-300)
    echo "failed: $1: expected $2, got: $got"
  fi
}

# Whether all the programs named are here; says which cases are skipped ($1) if not.
needs() {
  cases=$1
  shift
  for program in "$@"; do
    if ! command -v "$program" >/dev/null 2>&1; then
      skipped=$((skipped + 1))
      echo "skipped: $cases: $program is not installed"
      return 1
    fi
  done
}

# Waits until the server with the process id $1 takes connections on port $2.
await_server() {
  attempts=0
  until heddle get --timeout 2 "http://127.0.0.1:$2/" >"$work/probe" 2>&1 \
    || ! grep -q 'cannot connect' "$work/probe"; do
    attempts=$((attempts + 1))
    if [ "$attempts" -gt 20 ] || ! kill -0 "$1" 2>/dev/null; then
      cat "$work/server" >&2
      echo "no server on port $2" >&2
      return 1
    fi
    sleep 0.2
  done
}

make_files() {
  mkdir -p "$work/site"
  printf 'Hello!' >"$work/site/hello"
  head -c "$mebibyte" /dev/urandom >"$work/site/mebibyte"
  if command -v openssl >/dev/null 2>&1; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
      -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
      -keyout "$work/key.pem" -out "$work/cert.pem" 2>"$work/openssl"
  fi
}

# ---- our client

# What every server has. $1 says which server, $2 is its address, $3 the version in the status line;
# the rest are options of `heddle get`.
visit() {
  whom=$1
  base=$2
  version=$3
  shift 3
  judge "$whom: GET" "^$version 200" "$(heddle get -i "$@" "$base/hello" 2>&1)"
  judge "$whom: GET, the content" '^Hello!$' "$(heddle get "$@" "$base/hello" 2>&1)"
  judge "$whom: HEAD" '^[Cc]ontent-[Ll]ength: 6$' \
    "$(heddle get -i -X HEAD "$@" "$base/hello" 2>&1)"
  judge "$whom: GET 1 MiB" '^same$' \
    "$(heddle get "$@" "$base/mebibyte" 2>&1 | cmp - "$work/site/mebibyte" 2>&1 && echo same)"
  judge "$whom: 404" "^$version 404" "$(heddle get -i "$@" "$base/missing" 2>&1)"
}

visit_nginx() {
  visit "$@"
  shift 3
  judge "$whom: 204" "^$version 204" "$(heddle get -i "$@" "$base/none" 2>&1)"
  judge "$whom: 304" "^$version 304" "$(heddle get -i "$@" "$base/unchanged" 2>&1)"
  judge "$whom: POST 1 MiB" "^came $mebibyte\$" \
    "$(heddle get "$@" --body "@$work/site/mebibyte" "$base/upload" 2>&1)"
}

visit_nghttpd() {
  visit "$@"
  shift 3
  judge "$whom: POST 1 MiB, echoed" '^same$' \
    "$(heddle get "$@" --body "@$work/site/mebibyte" "$base/hello" 2>&1 |
      cmp - "$work/site/mebibyte" 2>&1 && echo same)"
}

write_nginx_conf() {
  routes="root $work/site;
      location /none { return 204; }
      location /unchanged { return 304; }
      location /upload {
        client_max_body_size 2m;
        client_body_temp_path $work/bodies;
        proxy_pass http://127.0.0.1:$((ports + 2));
      }"
  cat >"$work/nginx.conf" <<EOF
$([ "$(id -u)" -ne 0 ] || echo 'user root;')
daemon off;
pid $work/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  server {
    listen 127.0.0.1:$ports;
    $routes
  }
  server {
    listen 127.0.0.1:$((ports + 1)) ssl http2;
    ssl_certificate $work/cert.pem;
    ssl_certificate_key $work/key.pem;
    $routes
  }
  server {
    listen 127.0.0.1:$((ports + 2));
    location / { return 200 "came \$http_content_length\n"; }
  }
}
EOF
}

client_with_nginx() {
  needs "client with nginx" nginx openssl || return 0
  write_nginx_conf
  nginx -e stderr -p "$work" -c "$work/nginx.conf" >"$work/server" 2>&1 &
  nginx=$!
  started="$started $nginx"
  await_server "$nginx" "$ports"
  visit_nginx "nginx, h1" "http://127.0.0.1:$ports" HTTP/1.1
  secure=https://localhost:$((ports + 1))
  visit_nginx "nginx, h1 over TLS" "$secure" HTTP/1.1 --http 1.1 --cacert "$work/cert.pem"
  visit_nginx "nginx, h2 over TLS" "$secure" HTTP/2 --http 2 --cacert "$work/cert.pem"
  visit_nginx "nginx, by ALPN" "$secure" HTTP/2 -k
  judge "nginx: unknown authority" 'UNKNOWN_AUTHORITY|authority|trust' \
    "$(heddle get "$secure/hello" 2>&1)"
}

client_with_nghttpd() {
  needs "client with nghttpd" nghttpd openssl || return 0
  nghttpd --address=127.0.0.1 -d "$work/site" --echo-upload --no-tls "$((ports + 3))" \
    >"$work/server" 2>&1 &
  plain=$!
  nghttpd --address=127.0.0.1 -d "$work/site" --echo-upload "$((ports + 4))" \
    "$work/key.pem" "$work/cert.pem" >"$work/server" 2>&1 &
  started="$started $plain $!"
  await_server "$plain" "$((ports + 3))"
  visit_nghttpd "nghttpd, h2" "http://127.0.0.1:$((ports + 3))" HTTP/2 --http 2
  visit_nghttpd "nghttpd, h2 over TLS" "https://localhost:$((ports + 4))" HTTP/2 \
    --http 2 --cacert "$work/cert.pem"
}

# ---- our server

# $1 says which server and version, $2 is the version as curl writes it, $3 the address; the rest
# are options of curl.
called_by_curl() {
  whom="curl, $1"
  version=$2
  base=$3
  shift 3
  seen='%{http_version} %{response_code} %{size_download}\n'
  judge "$whom: GET" "^$version 200 6\$" \
    "$(curl -sS -m 20 "$@" -o "$work/out" -w "$seen" "$base/hello" 2>&1)"
  judge "$whom: HEAD" '^[Cc]ontent-[Ll]ength: 6$' "$(curl -sS -m 20 "$@" -I "$base/hello" 2>&1)"
  judge "$whom: GET 1 MiB" "^$version 200 $mebibyte\$" \
    "$(curl -sS -m 20 "$@" -o "$work/out" -w "$seen" "$base/bytes/$mebibyte" 2>&1)"
  judge "$whom: POST 1 MiB" "^$version 200 $mebibyte same\$" \
    "$(curl -sS -m 20 "$@" -o "$work/out" -w "${seen%??} " --data-binary "@$work/site/mebibyte" \
      "$base/echo" 2>&1 && cmp "$work/out" "$work/site/mebibyte" 2>&1 && echo same)"
  judge "$whom: 404" "^$version 404" \
    "$(curl -sS -m 20 "$@" -o "$work/out" -w "$seen" "$base/missing" 2>&1)"
  judge "$whom: 405" "^$version 405" \
    "$(curl -sS -m 20 "$@" -X DELETE -o "$work/out" -w "$seen" "$base/hello" 2>&1)"
  judge "$whom: three on one connection" '^1 0 0 $' \
    "$(curl -sS -m 20 "$@" -o "$work/out" -o "$work/out" -o "$work/out" -w '%{num_connects} ' \
      "$base/hello" "$base/hello" "$base/bytes/100" 2>&1)"
}

# $1 says which server, $2 is its address.
called_by_nghttp2() {
  if needs "nghttp, $1" nghttp; then
    judge "nghttp, $1: GET" '^Hello!$' "$(nghttp --no-verify-peer -t 20 "$2/hello" 2>&1)"
    judge "nghttp, $1: GET with padding" '^Hello!$' \
      "$(nghttp --no-verify-peer -t 20 -b 200 "$2/hello" 2>&1)"
    judge "nghttp, $1: HEAD" 'content-length: 6$' \
      "$(nghttp --no-verify-peer -t 20 -nv -H ':method: HEAD' "$2/hello" 2>&1)"
    judge "nghttp, $1: POST 1 MiB" '^same$' \
      "$(nghttp --no-verify-peer -t 20 -d "$work/site/mebibyte" "$2/echo" 2>&1 |
        cmp - "$work/site/mebibyte" 2>&1 && echo same)"
    judge "nghttp, $1: 20 requests in small windows" '^120$' \
      "$(nghttp --no-verify-peer -t 20 -w 1 -W 1 -m 20 "$2/hello" 2>&1 | wc -c | tr -d ' ')"
  fi
  if needs "h2load, $1" h2load; then
    judge "h2load, $1: 2,000 requests" ' 2000 succeeded' \
      "$(h2load -n 2000 -c 4 -m 50 "$2/hello" 2>&1)"
    judge "h2load, $1: 64 x GET 1 MiB" ' 64 succeeded' \
      "$(h2load -n 64 -c 2 -m 16 "$2/bytes/$mebibyte" 2>&1)"
    judge "h2load, $1: 64 x POST 1 MiB" ' 64 succeeded' \
      "$(h2load -n 64 -c 2 -m 16 -d "$work/site/mebibyte" "$2/echo" 2>&1)"
  fi
}

server_in_cleartext() {
  start_heddle
  base=http://127.0.0.1:$port
  if needs "curl in cleartext" curl; then
    called_by_curl h1 1.1 "$base" --http1.1
    called_by_curl h2 2 "$base" --http2-prior-knowledge
  fi
  called_by_nghttp2 cleartext "http://127.0.0.1:$port"
  stop_heddle
}

server_over_tls() {
  start_heddle --tls
  base=https://localhost:$port
  if needs "curl over TLS" curl; then
    called_by_curl "h1 over TLS" 1.1 "$base" -k --http1.1
    called_by_curl "h2 over TLS" 2 "$base" -k
    called_by_curl "h2 over TLS 1.2" 2 "$base" -k --tls-max 1.2
  fi
  called_by_nghttp2 TLS "https://localhost:$port"
  stop_heddle
}

make_files
ports=$(java_main heddle.verify.conformance.FreePorts 5)
client_with_nginx
client_with_nghttpd
server_in_cleartext
server_over_tls
echo "interop: $passed of $((passed + failed)) passed, $skipped groups skipped"
[ "$failed" -eq 0 ]
