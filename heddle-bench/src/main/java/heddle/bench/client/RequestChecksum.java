package heddle.bench.client;

import heddle.http.Headers;
import heddle.http.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Tells whether two loads send the same requests, without revealing them: reports are published,
 * and fields may be secret.
 */
public final class RequestChecksum {

  private final CRC32 sum = new CRC32();

  private RequestChecksum() {}

  /**
   * A checksum of eight digits over method, URL, fields and content of all requests.
   *
   * @throws IOException if content cannot be read
   */
  public static String of(List<Request> requests) throws IOException {
    var checksum = new RequestChecksum();
    for (Request request : requests) {
      checksum.add(request.method().name());
      checksum.add(request.origin() + request.target());
      for (Headers.Field field : request.headers()) {
        checksum.add(field.name() + ": " + field.value());
      }
      checksum.add(request.body().bytes());
    }
    return "%08x".formatted(checksum.sum.getValue());
  }

  private void add(String text) {
    add(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds the length first, so that different sequences never add up to the same bytes. */
  private void add(byte[] bytes) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      sum.update(bytes.length >>> shift);
    }
    sum.update(bytes);
  }
}
