package heddle.client.coding;

import heddle.client.coding.DecodingInput.Inflaters;
import heddle.client.settings.DecodingLimits;
import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.MessageTooLargeException;
import java.io.IOException;
import java.util.List;
import java.util.zip.Inflater;

/**
 * Asks for content codings and decodes them, as {@code HttpClient.Builder.contentCodings} says.
 * Requests with Range are left unchanged, since a part of coded content cannot be decoded, and HEAD
 * requests, whose Content-Length would be that of coded content. Safe for use by many threads.
 */
public final class ContentCodings implements Interceptor {
  private final DecodingLimits limits;
  private final Inflaters inflaters;

  public ContentCodings(DecodingLimits limits) {
    this(limits, Inflater::new);
  }

  ContentCodings(DecodingLimits limits, Inflaters inflaters) {
    this.limits = limits;
    this.inflaters = inflaters;
  }

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    if (!mayAsk(request)) {
      return chain.proceed(request);
    }
    Request.Builder next = request.toBuilder();
    addTo(next, request);
    return decode(next.build(), chain);
  }

  /** Adds Accept-Encoding to what is made of a request, if the response may be decoded. */
  public void addTo(Request.Builder next, Request request) {
    if (mayAsk(request)) {
      next.header(HeaderName.ACCEPT_ENCODING, Coding.ACCEPTED);
    }
  }

  private static boolean mayAsk(Request request) {
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
    List<Coding> codings =
        headers.contains(HeaderName.CONTENT_ENCODING) ? Coding.appliedTo(headers) : null;
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
      body = new DecodedBody(body, codings, limits, inflaters);
    }
    return response.toBuilder().headers(plain.build()).body(body).build();
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
