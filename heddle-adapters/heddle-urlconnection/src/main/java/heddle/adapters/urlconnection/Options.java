package heddle.adapters.urlconnection;

import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a connection when it is used first.
 *
 * @param fixedLength of the content; negative if not set
 * @param chunked whether content is sent while it is written, with unknown length
 * @param connectTimeout in milliseconds; 0 for none
 * @param readTimeout in milliseconds; 0 for none
 * @param ifModifiedSince in milliseconds since 1970; 0 for none
 * @param fields of the request, as set by the caller
 * @param tls null for http
 */
record Options(
    String method,
    boolean doInput,
    boolean doOutput,
    long fixedLength,
    boolean chunked,
    boolean followRedirects,
    int connectTimeout,
    int readTimeout,
    long ifModifiedSince,
    boolean useCaches,
    Map<String, List<String>> fields,
    @Nullable Tls tls) {
  static Options of(
      HttpURLConnection from,
      long fixedLength,
      boolean chunked,
      Map<String, List<String>> fields,
      @Nullable Tls tls) {
    return new Options(
        from.getRequestMethod(),
        from.getDoInput(),
        from.getDoOutput(),
        fixedLength,
        chunked,
        from.getInstanceFollowRedirects(),
        from.getConnectTimeout(),
        from.getReadTimeout(),
        from.getIfModifiedSince(),
        from.getUseCaches(),
        fields,
        tls);
  }

  /** Whether content is sent while it is written, so that the request cannot be repeated. */
  boolean streams() {
    return fixedLength >= 0 || chunked;
  }

  /** The first value of a field of the request; null if it was not set. */
  @Nullable
  String field(String name) {
    for (Map.Entry<String, List<String>> each : fields.entrySet()) {
      if (name.equalsIgnoreCase(each.getKey())) {
        return each.getValue().getFirst();
      }
    }
    return null;
  }
}
