package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.client.spi.NoProxy;
import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import java.io.IOException;
import java.nio.file.Path;

/** The code of docs/guide/proxies.md. */
final class Proxies {
  private Proxies() {}

  static HttpClient one(String user, String password) {
    // doc: one
    HttpClient client = HttpClient.builder()
        .proxy(Proxy.http("proxy.example.com", 3128).withCredentials(user, password))
        .build();
    // doc: end
    return client;
  }

  static HttpClient system() {
    // doc: system
    HttpClient client = HttpClient.builder().proxies(ProxySelector.fromSystem()).build();
    // doc: end
    return client;
  }

  static HttpClient except() {
    // doc: except
    HttpClient client = HttpClient.builder()
        .proxies(ProxySelector.fixed(
            Proxy.socks5("127.0.0.1", 1080), NoProxy.parse("localhost,.internal,10.0.0.0/8")))
        .build();
    // doc: end
    return client;
  }

  static String dockerVersion(Path socket) throws IOException {
    // doc: unix
    try (HttpClient docker = HttpClient.builder().unixSocket(socket).build()) {
      return docker.get("http://localhost/version").string();
    }
    // doc: end
  }
}
