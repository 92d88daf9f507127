package heddle.adapters.feign;

import feign.Request;
import feign.Request.HttpMethod;
import feign.Request.Options;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Requests and options of Feign's for tests. */
final class Calls {
  static final Options USUAL = new Options();

  private Calls() {}

  /**
   * @param fields each {@code name: value}
   */
  static Request request(HttpMethod method, String url, byte[] body, String... fields) {
    Map<String, Collection<String>> headers = new LinkedHashMap<>();
    for (String field : fields) {
      String[] parts = field.split(": ", -1);
      headers.put(parts[0], Arrays.asList(parts).subList(1, parts.length));
    }
    return Request.create(method, url, headers, body, StandardCharsets.UTF_8, null);
  }

  static Request get(String url, String... fields) {
    return request(HttpMethod.GET, url, null, fields);
  }

  static Options options(int connectMillis, int readMillis, boolean follow) {
    return new Options(
        connectMillis, TimeUnit.MILLISECONDS, readMillis, TimeUnit.MILLISECONDS, follow);
  }

  static Collection<String> only(String value) {
    return List.of(value);
  }
}
