package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.http.HeaderName;
import heddle.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * What HTTP proxies are shown: the credentials that come with a proxy, by the Basic scheme (RFC
 * 7617), at once or since that proxy has asked for them. Safe for use by many threads.
 */
final class ProxyCredentials {
  /** Beyond so many the proxies are asked anew: a selector may make up ever new ones. */
  private static final int MAX_KNOWN = 1000;

  private static final Pattern QUOTED = Pattern.compile("\"(\\\\.|[^\"\\\\])*\"");
  private static final Pattern BASIC =
      Pattern.compile("(^|,)[ \\t]*basic([ \\t,]|$)", Pattern.CASE_INSENSITIVE);

  /** Those that want credentials. */
  private final Set<Proxy> asking = ConcurrentHashMap.newKeySet();

  /** What to send to a proxy with the next request; without fields where it gets nothing. */
  Headers fields(Proxy proxy) {
    Proxy.Credentials credentials = proxy.credentials();
    if (credentials == null || !(proxy.isPreemptive() || asking.contains(proxy))) {
      return Headers.empty();
    }
    String pair = credentials.user() + ":" + credentials.password();
    String token = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return Headers.builder()
        .add(HeaderName.PROXY_AUTHORIZATION, "Basic " + token)
        .build();
  }

  /**
   * A proxy has answered 407 (Proxy Authentication Required).
   *
   * @param sent what {@link #fields} gave for the request
   * @return whether there is something to show that was not shown yet
   */
  boolean asked(Proxy proxy, Headers sent, Headers answered) {
    if (!sent.isEmpty() || proxy.credentials() == null || !wantsBasic(answered)) {
      return false;
    }
    if (asking.size() >= MAX_KNOWN) {
      asking.clear();
    }
    asking.add(proxy);
    return true;
  }

  /** RFC 9110 §11.6.1: several challenges may stand in one field, each with its parameters. */
  private static boolean wantsBasic(Headers answered) {
    return answered.all(HeaderName.PROXY_AUTHENTICATE).stream()
        .anyMatch(value -> BASIC.matcher(QUOTED.matcher(value).replaceAll("")).find());
  }
}
