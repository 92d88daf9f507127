package heddle.adapters.jdk;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides which redirects are followed, and with what request, as the JDK's client does. */
final class Redirection {
  /** The JDK's own property and default: one less is followed in a call. */
  private static final int LIMIT = Integer.getInteger("jdk.httpclient.redirects.retrylimit", 5);

  /** Fields that are meant for one origin only. Case-insensitive. */
  private static final Set<String> OF_ORIGIN = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  static {
    OF_ORIGIN.addAll(
        Set.of("Authorization", "Cookie", "Host", "Origin", "Proxy-Authorization", "Referer"));
  }

  private Redirection() {}

  /**
   * Returns the request that follows a response; null if the caller gets the response.
   *
   * @param followed how many redirects the call has followed already
   * @throws IOException if there is no Location, or if it is not a URI
   */
  static @Nullable HttpRequest next(
      Redirect policy, HttpRequest request, int status, HttpHeaders headers, int followed)
      throws IOException {
    if (policy == Redirect.NEVER || !isFollowed(status)) {
      return null;
    }
    URI target = target(request.uri(), headers);
    String scheme = Messages.scheme(target);
    boolean callable =
        (scheme.equals("http") || scheme.equals("https")) && target.getHost() != null;
    boolean bared = scheme.equals("http") && Messages.isSecure(request.uri());
    if (!callable || (bared && policy != Redirect.ALWAYS) || followed + 1 >= LIMIT) {
      return null;
    }
    return to(target, request, status);
  }

  private static boolean isFollowed(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static URI target(URI from, HttpHeaders headers) throws IOException {
    String location = headers
        .firstValue("Location")
        .orElseThrow(() -> new IOException("Invalid redirection: there is no Location"));
    try {
      return from.resolve(new URI(location));
    } catch (URISyntaxException e) {
      // Its message shows all of Location, which may hold credentials.
      throw new IOException("Invalid redirection: Location is no URI: " + e.getReason()
          + " at index " + e.getIndex());
    }
  }

  private static HttpRequest to(URI target, HttpRequest request, int status) {
    boolean elsewhere = !Messages.origin(target).equals(Messages.origin(request.uri()));
    HttpRequest.Builder next =
        HttpRequest.newBuilder(request, (name, value) -> !elsewhere || !OF_ORIGIN.contains(name));
    boolean isPost = request.method().equals("POST");
    if (status == 303 || (isPost && (status == 301 || status == 302))) {
      next.GET();
    }
    return next.uri(target).build();
  }
}
