package heddle.verify;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which package may import which: the layers of ARCHITECTURE.md, package by package. Names are
 * relative to a root package ({@code heddle}). A package that does not stand here fails the build:
 * give it a place first.
 */
final class Layers {

  /** Packages of the engine, from the vocabulary up to the facades. */
  static final Map<String, Set<String>> ENGINE = table(
      """
          # 0: values
          http.io:
          http.syntax:
          http:          http.io http.syntax
          transport.time:
          http.duplex:   http http.io
          http.failure:  http
          # 1: and the seam to the world
          codec:         http
          transport:     http.failure http.io transport.time
          transport.names: http http.syntax transport transport.time
          client.settings: http http.syntax transport
          client.spi:    http http.failure http.io http.syntax transport.time client.settings
          client.jfr:
          server.spi:    http http.failure http.io
          server.proxy:  http http.syntax connection server.spi
          # 2
          transport.tcp: http.io transport transport.time
          transport.tls: http.failure http.syntax transport transport.time
          client.coding: http http.failure client.settings client.spi
          codec.http1:   http http.syntax codec
          codec.socks:
          codec.hpack:   http http.failure http.syntax codec
          codec.http2.frame: http.failure codec codec.hpack
          codec.http2:   http http.failure http.syntax codec codec.hpack codec.http2.frame
          connection:    http http.failure http.io codec transport transport.time
          connection.request: http transport transport.time connection
          client.route:  http http.duplex client.spi
          client.step:   http http.failure http.syntax client.settings client.spi
          # 3
          connection.http1: http http.duplex http.failure http.io codec codec.http1 transport \
                            transport.time connection connection.request
          connection.http2: http http.duplex http.failure http.syntax codec codec.http2 \
                            codec.http2.frame transport transport.time connection connection.request
          client.pool:      http http.failure transport transport.time connection \
                            client.settings client.spi client.route
          # 4
          connection.negotiate: http http.failure codec transport transport.time connection \
                         connection.http1 connection.http2
          client.call:   http http.duplex http.failure http.syntax transport transport.time \
                         transport.names connection client.settings client.spi client.jfr \
                         client.route client.pool
          server.dispatch:      http http.failure transport transport.time connection server.spi
          # 5
          client.dial:   http http.failure http.syntax codec codec.http1 codec.socks transport \
                         transport.time transport.names connection connection.http1 \
                         connection.negotiate client.settings client.spi client.step \
                         client.route client.pool
          server.accept: http http.failure http.io http.syntax transport transport.time \
                         connection connection.negotiate server.proxy server.spi server.dispatch
          # 6: the facades, the only ones that see tcp and tls
          client: http http.duplex http.failure http.io http.syntax codec transport transport.time \
                  transport.names transport.tcp transport.tls connection connection.http1 \
                  connection.negotiate client.settings client.spi client.step client.coding \
                  client.route client.pool client.dial client.call
          server: http http.failure transport transport.tcp transport.tls connection \
                  connection.negotiate server.proxy server.spi server.accept server.dispatch
          """);

  /**
   * Layer 7, what is built on the engine: each name stands for the package and all below it.
   * Nothing of the engine may import them.
   */
  static final Map<String, Set<String>> AROUND = table(
      """
          testkit:  http http.failure http.syntax codec codec.http1 codec.hpack \
                    codec.http2.frame transport transport.time transport.names transport.tcp \
                    transport.tls
          bench:    http http.failure transport transport.time transport.tcp transport.tls \
                    client client.settings client.spi server server.spi load
          load:     bench
          testwatch:
          cli:      http http.failure transport transport.tls client client.settings client.spi \
                    server server.spi bench load cookies har
          cache:         http http.failure http.io http.syntax client.spi
          cookies:       http client.spi
          brotli:        http
          gson:          http
          doh:           http http.failure http.io http.syntax transport transport.names \
                         transport.time client
          httpserver:    http transport transport.tcp transport.tls server server.spi
          har:           http client client.spi client.step
          http4k:        http server server.spi
          jersey:        http transport.tls server server.spi
          kotlin:        http client client.settings server server.spi sse web websocket
          sse:           http http.failure http.io client server.spi
          web:           http http.io http.syntax server.spi
          websocket:     http http.failure http.io client server.spi
          resilience:    http transport.time client.spi
          jackson2:      http
          jackson3:      http
          micrometer:    http client client.spi server server.spi
          opentelemetry: http client client.spi server server.spi
          zstd:          http
          adapters: http http.duplex http.failure http.io transport transport.names transport.tls \
                    client client.settings client.spi client.coding server server.spi cookies \
                    micrometer websocket
          examples: http http.failure transport.tls client client.settings client.spi \
                    server server.proxy server.spi bench load adapters cache brotli cookies doh \
                    jackson3 micrometer opentelemetry resilience sse har web zstd websocket
          """);

  private Layers() {}

  private static Map<String, Set<String>> table(String text) {
    var table = new LinkedHashMap<String, Set<String>>();
    for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
      int colon = line.indexOf(':');
      Set<String> allowed = Arrays.stream(line.substring(colon + 1).strip().split("\\s+", -1))
          .filter(each -> !each.isEmpty())
          .collect(Collectors.toUnmodifiableSet());
      table.put(line.substring(0, colon), allowed);
    }
    return table;
  }
}
