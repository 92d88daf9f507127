package heddle.client.step;

import heddle.client.settings.RedirectPolicy;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The request that follows a redirect (RFC 9110 section 15.4). */
final class RedirectTarget {
  private static final int SEE_OTHER = 303;

  /**
   * Fields of the request's content (RFC 9110 section 15.4), in addition to those named Content-*.
   */
  private static final Set<HeaderName> OF_CONTENT = Set.of(
      HeaderName.EXPECT,
      HeaderName.LAST_MODIFIED,
      HeaderName.TRAILER,
      HeaderName.TRANSFER_ENCODING,
      HeaderName.of("Digest"),
      HeaderName.of("Repr-Digest"));

  /** Fields that are meant for one origin. */
  private static final Set<HeaderName> OF_ORIGIN = Set.of(
      HeaderName.AUTHORIZATION, HeaderName.COOKIE, HeaderName.HOST, HeaderName.PROXY_AUTHORIZATION);

  private RedirectTarget() {}

  /** The request that follows a response; null if the caller gets the response. */
  static @Nullable Request of(Request request, Response response, RedirectPolicy policy) {
    int status = response.status().code();
    Method method = methodAfter(status, request.method());
    String location = location(response.headers());
    if (method == null || location == null) {
      return null;
    }
    boolean keepsContent = status != SEE_OTHER && method.equals(request.method());
    if (keepsContent && !request.body().isReplayable()) {
      return null;
    }
    Request.Builder next = request.toBuilder().method(method);
    try {
      next.resolve(location);
    } catch (MalformedUrlException e) {
      return null; // Not a URL, or of another scheme: left to the caller.
    }
    if (!keepsContent) {
      next.body(Body.empty()).trailers(Trailers.none());
    }
    Request target = next.build();
    boolean elsewhere = !target.origin().equals(request.origin());
    boolean bared = request.origin().isSecure() && !target.origin().isSecure();
    if (bared && !policy.isToCleartextAllowed()) {
      return null;
    }
    Headers fields = fields(request.headers(), keepsContent, elsewhere, policy.sensitive());
    Request dressed = target.toBuilder().headers(fields).build();
    return policy.allows(request, dressed) ? dressed : null;
  }

  /** The method after a redirect; null if the status is not a redirect, or cannot be followed. */
  private static @Nullable Method methodAfter(int status, Method method) {
    if (method.equals(Method.CONNECT)) {
      return null; // It names no resource (RFC 9110 §9.3.6).
    }
    return switch (status) {
      case 301, 302 -> method.equals(Method.POST) ? Method.GET : method;
      case SEE_OTHER -> method.equals(Method.HEAD) ? method : Method.GET;
      case 307, 308 -> method;
      default -> null;
    };
  }

  /** The Location; null if it is missing or empty, or if there are several that differ. */
  private static @Nullable String location(Headers headers) {
    List<String> all = headers.all(HeaderName.LOCATION).stream().distinct().toList();
    return all.size() == 1 && !all.getFirst().isEmpty() ? all.getFirst() : null;
  }

  private static Headers fields(
      Headers all, boolean keepsContent, boolean elsewhere, Set<HeaderName> sensitive) {
    Headers.Builder kept = Headers.builder();
    for (Headers.Field field : all) {
      HeaderName name = field.name();
      boolean ofContent = OF_CONTENT.contains(name) || name.lowerCase().startsWith("content-");
      boolean ofOrigin = OF_ORIGIN.contains(name) || sensitive.contains(name);
      if ((keepsContent || !ofContent) && !(elsewhere && ofOrigin)) {
        kept.add(name, field.value());
      }
    }
    return kept.build();
  }
}
