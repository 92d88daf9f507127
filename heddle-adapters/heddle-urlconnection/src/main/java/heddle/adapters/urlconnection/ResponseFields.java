package heddle.adapters.urlconnection;

import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The head of a response, as {@code HttpURLConnection} shows it: field 0 is the status line. */
final class ResponseFields {
  static final ResponseFields NONE = new ResponseFields(null, Headers.empty());

  private final @Nullable String statusLine;
  private final Headers fields;

  private ResponseFields(@Nullable String statusLine, Headers fields) {
    this.statusLine = statusLine;
    this.fields = fields;
  }

  static ResponseFields of(Response response) {
    return of(response.version().toString(), response.status(), response.headers());
  }

  static ResponseFields of(String version, Status status, Headers headers) {
    String line = version + " " + status.code();
    String reason = status.reason();
    return new ResponseFields(reason.isEmpty() ? line : line + " " + reason, headers);
  }

  /** The name of a field; null for the status line, and for a number that is too large. */
  @Nullable
  String name(int number) {
    return number < 1 || number > fields.size() ? null : fields.name(number - 1).toString();
  }

  /** The value of a field, or the status line; null for a number that is too large. */
  @Nullable
  String value(int number) {
    if (number == 0) {
      return statusLine;
    }
    return number < 0 || number > fields.size() ? null : fields.value(number - 1);
  }

  /** The value of the last field with this name, or the status line for null. */
  @Nullable
  String value(@Nullable String name) {
    if (name == null) {
      return statusLine;
    }
    List<String> all = all(name);
    return all.isEmpty() ? null : all.getLast();
  }

  private List<String> all(String name) {
    List<String> all = new ArrayList<>(1);
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).lowerCase().equalsIgnoreCase(name)) {
        all.add(fields.value(i));
      }
    }
    return all;
  }

  /**
   * All fields by name, in any case, with the status line for the name null.
   */
  @SuppressWarnings("NullAway") // The JDK documents the key null for the status line.
  Map<String, List<String>> map() {
    Map<String, List<String>> map =
        new TreeMap<>(Comparator.nullsFirst(String.CASE_INSENSITIVE_ORDER));
    if (statusLine != null) {
      map.put(null, List.of(statusLine));
    }
    for (Headers.Field each : fields) {
      map.computeIfAbsent(each.name().toString(), name -> new ArrayList<>(1)).add(each.value());
    }
    map.replaceAll((name, values) -> Collections.unmodifiableList(values));
    return Collections.unmodifiableMap(map);
  }
}
