package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.doh.DohResolver;
import java.io.IOException;
import java.net.InetAddress;

/** The code of docs/guide/names.md. */
final class Names {
  private Names() {}

  static HttpClient overHttps() throws IOException {
    // doc: doh
    DohResolver names = DohResolver.builder()
        .server("https://dns.example/dns-query{?dns}", InetAddress.getByName("192.0.2.53"))
        .server("https://dns.another.example/dns-query{?dns}")
        .build();
    HttpClient client = HttpClient.builder().resolver(names).build();
    // doc: end
    return client;
  }
}
