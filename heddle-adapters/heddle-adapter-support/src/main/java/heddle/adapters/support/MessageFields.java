package heddle.adapters.support;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Conversions between Heddle's messages and those of libraries that keep fields in a map. */
public final class MessageFields {
  private MessageFields() {}

  /** Whether the body of a request sets this field, so that the caller's value is left out. */
  public static boolean isSetByBody(HeaderName name) {
    return name == HeaderName.CONTENT_LENGTH || name == HeaderName.TRANSFER_ENCODING;
  }

  /**
   * Converts the fields of a request, without those that its body sets.
   *
   * @param values the values by name; null for none
   * @throws IllegalArgumentException if one cannot be sent; the message says which
   */
  public static Headers.Builder of(Map<String, ? extends @Nullable Iterable<String>> values) {
    Headers.Builder headers = Headers.builder();
    values.forEach((name, all) -> add(headers, name, all));
    return headers;
  }

  /**
   * Adds a field of a request, unless its body sets it.
   *
   * @param values null for none
   */
  public static void add(
      Headers.Builder headers, String text, @Nullable Iterable<? extends @Nullable String> values) {
    HeaderName name = HeaderName.of(text);
    if (values != null && !isSetByBody(name)) {
      values.forEach(value -> headers.add(name, value == null ? "" : value));
    }
  }

  /** Returns the values by name, in the order in which the names were received. */
  public static Map<String, List<String>> byName(Headers headers) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (Headers.Field field : headers) {
      values.computeIfAbsent(field.name().toString(), name -> new ArrayList<>()).add(field.value());
    }
    return values;
  }

  /** Whether a response to a request of this method may have content (RFC 9110 section 6.4.1). */
  public static boolean mayHaveContent(Method method, Response response) {
    return method != Method.HEAD && response.status().mayHaveContent();
  }
}
