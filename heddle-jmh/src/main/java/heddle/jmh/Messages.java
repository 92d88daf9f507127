package heddle.jmh;

import heddle.http.Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The messages that the benchmarks read and write, typical of a service's client. */
final class Messages {
  static final String REQUEST =
      """
      GET /api/v1/orders/4711?expand=lines HTTP/1.1
      Host: orders.example.com
      User-Agent: heddle/0.1
      Accept: application/json
      Accept-Encoding: gzip
      Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01

      """;

  static final String RESPONSE =
      """
      HTTP/1.1 200 OK
      Date: Thu, 01 Jan 2026 00:00:00 GMT
      Content-Type: application/json
      Content-Length: 6
      Cache-Control: no-cache
      Vary: Accept-Encoding
      X-Request-Id: 0af7651916cd43dd8448eb211c80319c

      """;

  private Messages() {}

  /** The fields of a request, without Host. */
  static Headers requestFields() {
    return Headers.of(
        "User-Agent",
        "heddle/0.1",
        "Accept",
        "application/json",
        "Accept-Encoding",
        "gzip",
        "Traceparent",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  }

  /** The fields of {@link #RESPONSE}. */
  static Headers responseFields() {
    String[] fields = RESPONSE
        .lines()
        .skip(1)
        .filter(line -> !line.isEmpty())
        .flatMap(line -> Stream.of(line.split(": ", 2)))
        .toArray(String[]::new);
    return Headers.of(fields);
  }

  /** The bytes of a head as received from the network. */
  static ByteBuffer bytes(String head) {
    return ByteBuffer.wrap(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
  }
}
