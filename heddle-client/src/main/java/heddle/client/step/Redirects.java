package heddle.client.step;

import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import heddle.http.failure.TooManyRedirectsException;
import heddle.http.syntax.Iri;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows the redirects that a {@link RedirectPolicy} allows. Safe for use by many threads. */
public final class Redirects implements Interceptor {
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

  private final RedirectPolicy policy;

  public Redirects(RedirectPolicy policy) {
    this.policy = policy;
  }

  /**
   * Makes a call and follows redirects.
   *
   * @throws TooManyRedirectsException if there are more than the policy allows, or a circle
   */
  @Override
  public Response intercept(Request first, Chain chain) throws IOException {
    Request request = first;
    Response response = chain.proceed(request);
    Request next = next(request, response, policy);
    if (next == null) {
      return response;
    }
    History history = new History();
    List<Request> asked = new ArrayList<>();
    int followed = 0;
    while (next != null) {
      if (response.headers().contains(HeaderName.SET_COOKIE)) {
        asked.clear(); // With a cookie the server may answer the same request differently.
      } else {
        asked.add(request);
      }
      history.add(response, request);
      if (followed == policy.most()) {
        throw new TooManyRedirectsException(
            "the servers redirect more often than the %d times that are allowed, most recently to "
                    .formatted(policy.most())
                + describe(next),
            false,
            chain.point());
      }
      Request again = next;
      if (asked.stream().anyMatch(each -> isSame(each, again))) {
        throw new TooManyRedirectsException(
            "the servers redirect in a circle, back to " + describe(next), true, chain.point());
      }
      followed++;
      request = next;
      response = chain.proceed(request);
      next = next(request, response, policy);
    }
    return history.precede(response, request);
  }

  /** Whether a response may be one to be followed. */
  public static boolean concern(Response response) {
    int status = response.status().code();
    return status >= 300 && status < 400 && response.headers().contains(HeaderName.LOCATION);
  }

  private static boolean isSame(Request one, Request other) {
    return one.method().equals(other.method())
        && one.origin().equals(other.origin())
        && one.target().equals(other.target())
        && one.headers().equals(other.headers());
  }

  /** Without the query, which may hold private data. */
  private static String describe(Request request) {
    return request.method() + " " + request.origin() + request.path();
  }

  /** The request that follows (RFC 9110 section 15.4); null if the caller gets the response. */
  static @Nullable Request next(Request request, Response response, RedirectPolicy policy) {
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

  /**
   * The Location; null if it is missing or empty, or if there are several that differ. Servers send
   * octets beyond ASCII in it, which mean themselves, as browsers take them.
   */
  private static @Nullable String location(Headers headers) {
    List<String> all = headers.all(HeaderName.LOCATION).stream().distinct().toList();
    return all.size() == 1 && !all.getFirst().isEmpty() ? Iri.encodeOctets(all.getFirst()) : null;
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
