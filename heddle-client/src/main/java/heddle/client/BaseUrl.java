package heddle.client;

import heddle.http.MalformedUrlException;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.syntax.Url;
import org.jspecify.annotations.Nullable;

/**
 * What is put before URLs without scheme and host.
 *
 * @param url without a slash at its end
 */
record BaseUrl(String url, Origin origin) {
  /** Throws {@link IllegalArgumentException} if it is no URL, or has a query or fragment. */
  static BaseUrl parse(String url) {
    if (url.indexOf('?') >= 0 || url.indexOf('#') >= 0) {
      throw new IllegalArgumentException("a base URL has neither query nor fragment");
    }
    try {
      Origin origin = Request.get(url).origin();
      return new BaseUrl(url.endsWith("/") ? url.substring(0, url.length() - 1) : url, origin);
    } catch (MalformedUrlException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The URL itself if it has a scheme, and else behind the base. */
  static String absolute(@Nullable BaseUrl base, String url) throws MalformedUrlException {
    if (Url.isAbsolute(url)) {
      return url;
    }
    if (base == null) {
      throw new MalformedUrlException(
          "malformed URL: it must begin with http:// or https://, unless"
              + " the client has a base URL (HttpClient.Builder.baseUrl)");
    }
    boolean joins = url.isEmpty() || url.startsWith("/") || url.startsWith("?");
    return base.url + (joins ? "" : "/") + url;
  }
}
