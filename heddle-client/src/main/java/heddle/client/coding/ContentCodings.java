package heddle.client.coding;

import heddle.client.settings.DecodingLimits;
import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for content codings and decodes them, as {@code HttpClient.Builder.contentCodings} says.
 * Requests with Range are left unchanged, since a part of coded content cannot be decoded, and HEAD
 * requests, whose Content-Length would be that of coded content. Safe for use by many threads.
 */
public final class ContentCodings implements Interceptor {
  private final DecodingLimits limits;
  private final Map<String, ContentCoding> known = new LinkedHashMap<>();

  /**
   * The value of Accept-Encoding. That of gzip and deflate alone is in the static table of HPACK,
   * so that it takes one octet.
   */
  private final String accepted;

  /**
   * @param more codings than gzip and deflate, in the order in which they are asked for
   */
  public ContentCodings(DecodingLimits limits, List<ContentCoding> more) {
    this.limits = limits;
    for (ContentCoding each : more) {
      known.put(each.name().toLowerCase(Locale.ROOT), each);
    }
    known.putIfAbsent("gzip", Coding.GZIP);
    known.putIfAbsent("deflate", Coding.DEFLATE);
    accepted = String.join(", ", known.keySet());
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    if (!mayAsk(request)) {
      return chain.proceed(request);
    }
    Headers.Builder next = request.headers().toBuilder();
    addTo(next);
    return decode(request.toBuilder().headers(next.build()).build(), chain);
  }

  /** Adds Accept-Encoding to the fields of a request that {@link #mayAsk}. */
  public void addTo(Headers.Builder next) {
    next.add(HeaderName.ACCEPT_ENCODING, accepted);
  }

  /** Whether a request's response may be decoded, and its fields say nothing of codings. */
  public static boolean mayAsk(Request request) {
    return isOfWhole(request) && !request.headers().contains(HeaderName.ACCEPT_ENCODING);
  }

  /** Sends a request as it is, and decodes its response even if it accepts no codings. */
  public Response decode(Request request, Chain chain) throws IOException {
    Response response = chain.proceed(request);
    Status status = response.status();
    // 206 has a part of the content, although the request had no Range.
    return isOfWhole(request) && status.mayHaveContent() && !status.equals(Status.PARTIAL_CONTENT)
        ? decoded(response, chain)
        : response;
  }

  private static boolean isOfWhole(Request request) {
    return request.method() != Method.HEAD
        && request.method() != Method.CONNECT
        && !request.headers().contains(HeaderName.RANGE);
  }

  private Response decoded(Response response, Chain chain) throws IOException {
    Headers headers = response.headers();
    List<ContentCoding> codings =
        headers.contains(HeaderName.CONTENT_ENCODING) ? appliedTo(headers) : null;
    if (codings == null) {
      return response;
    }
    if (codings.size() > limits.maxLayers()) {
      try (response) {
        throw tooManyLayers(codings.size(), chain);
      }
    }
    Headers.Builder plain = headers.toBuilder().remove(HeaderName.CONTENT_ENCODING);
    Body body = response.body();
    // Some servers send Content-Encoding: gzip with empty content.
    if (!codings.isEmpty() && body.length() != 0) {
      plain.remove(HeaderName.CONTENT_LENGTH);
      body = new DecodedBody(body, codings, limits);
    }
    return response.toBuilder().headers(plain.build()).body(body).build();
  }

  /**
   * The codings that were applied to a message's content, in that order; identity is none.
   *
   * @return null if one of them is not known
   */
  private @Nullable List<ContentCoding> appliedTo(Headers headers) {
    List<ContentCoding> applied = new ArrayList<>();
    for (String list : headers.all(HeaderName.CONTENT_ENCODING)) {
      for (String element : list.split(",", -1)) {
        // RFC 9110 section 8.4.1: names of codings ignore case.
        String name = element.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals("identity")) {
          continue;
        }
        // RFC 9110 section 8.4.1.3: both are the same.
        ContentCoding coding = known.get(name.equals("x-gzip") ? "gzip" : name);
        if (coding == null) {
          return null;
        }
        applied.add(coding);
      }
    }
    return applied;
  }

  private MessageTooLargeException tooManyLayers(int layers, Chain chain) {
    return HttpException.advise(
        new MessageTooLargeException(
            "the response's content is coded " + layers + " times and the limit is "
                + limits.maxLayers(),
            chain.point(),
            null),
        " (maxLayers): raise it for servers that you trust");
  }
}
