package heddle.cache;

import heddle.cache.CacheStatus.Forward;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.http.failure.AddressRefusedException;
import heddle.http.failure.CallCancelledException;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.TlsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request that is answered from the store or by the server. For one thread. */
final class CacheExchange {
  /** Content up to this size is read when it is not needed, to keep the connection. */
  private static final int SMALL = 32 << 10;

  /** The server, as the rest of the client's steps reaches it. */
  @FunctionalInterface
  interface Network {
    Response send(Request request) throws IOException;
  }

  private final CacheContext context;
  private final Lookup asked;
  private final List<CachedResponse> stored;
  private final @Nullable CachedResponse chosen;
  private final Forward why;
  private final Network network;

  // Of the last request that was sent.
  private long mark;
  private long requestedAt;
  private long receivedAt;

  /**
   * @param stored what is stored of the resource
   * @param chosen which of it the request selects; null if there is none
   * @param why the request goes to the server, if it does
   */
  CacheExchange(
      CacheContext context,
      Lookup asked,
      List<CachedResponse> stored,
      @Nullable CachedResponse chosen,
      Forward why,
      Network network) {
    this.context = context;
    this.asked = asked;
    this.stored = stored;
    this.chosen = chosen;
    this.why = why;
    this.network = network;
  }

  /**
   * A stored response as the answer; null if its content is lost.
   *
   * @param status what Cache-Status says
   * @param age in seconds; {@link CacheControl#NONE} if the server has just validated it
   */
  static @Nullable Response answer(
      CacheContext context, Lookup asked, CachedResponse from, String status, long age)
      throws IOException {
    boolean unchanged = asked.isConditional() && Validation.isNotModified(asked, from);
    Body body =
        unchanged || asked.isHead() ? Body.empty() : context.store().open(asked.key(), from);
    if (body == null) {
      return null;
    }
    Headers.Builder fields =
        unchanged ? withoutContent(from.headers()) : from.headers().toBuilder();
    if (age != CacheControl.NONE) {
      fields.set(HeaderName.AGE, Long.toString(age));
    }
    return Response.received(
        asked.request(),
        unchanged ? Status.NOT_MODIFIED : from.status(),
        from.version(),
        fields.add(CacheStatus.NAME, status).build(),
        body,
        Trailers.none());
  }

  /** What a 304 repeats: RFC 9110 section 15.4.5. */
  private static Headers.Builder withoutContent(Headers headers) {
    Headers.Builder fields = Headers.builder();
    for (Headers.Field each : headers) {
      if (each.name() == HeaderName.CONTENT_LOCATION
          || !each.name().lowerCase().startsWith("content-")) {
        fields.add(each.name(), each.value());
      }
    }
    return fields;
  }

  /** Asks the server. */
  Response forward() throws IOException {
    Validation validation = Validation.of(asked, stored, chosen);
    Response response;
    try {
      response = send(validation.request());
    } catch (IOException e) {
      Response stale = isOfTheServer(e) ? answerOnError(CacheStatus.unreachable(why)) : null;
      if (stale != null) {
        return stale;
      }
      throw e;
    }
    if (validation.isConditional() && response.status().equals(Status.NOT_MODIFIED)) {
      Response validated = validated(validation, response);
      if (validated != null) {
        return validated;
      }
      // It is about no response that there is, so the content is asked for.
      response.close();
      response = send(asked.request());
    }
    if (CachePolicy.isError(response.status())) {
      Response stale = answerOnError(CacheStatus.validated(why, response.status()));
      if (stale != null) {
        dispose(response);
        return stale;
      }
    }
    context.counters().misses.increment();
    if (asked.isHead() || response.status().equals(Status.NOT_MODIFIED)) {
      bringUpToDate(response);
      return CacheStatus.on(response, CacheStatus.forwarded(why));
    }
    return recorded(response);
  }

  private Response send(Request request) throws IOException {
    mark = context.store().mark(asked.key());
    requestedAt = context.clock().millis();
    Response response = network.send(request);
    receivedAt = context.clock().millis();
    return response;
  }

  /** Whether a stored response may be used instead, rather than something is wrong here. */
  private static boolean isOfTheServer(IOException e) {
    return switch (e) {
      case InterruptedIOException ignored -> false;
      case CallCancelledException ignored -> false;
      case ClientClosedException ignored -> false;
      case AddressRefusedException ignored -> false;
      case TlsException tls -> tls.reason() == TlsException.Reason.TRUNCATED;
      default -> true;
    };
  }

  private @Nullable Response answerOnError(String status) throws IOException {
    CachedResponse from = chosen;
    long now = context.clock().millis();
    if (from == null || !context.policy().mayUseOnError(asked.control(), from, now)) {
      return null;
    }
    Response stale = answer(context, asked, from, status, age(from, now));
    if (stale != null) {
      context.counters().hits.increment();
    }
    return stale;
  }

  private long age(CachedResponse response, long now) {
    return response.freshness(now, context.policy().mostHeuristic()).age();
  }

  private static void dispose(Response response) {
    try (response) {
      long length = response.body().length();
      if (length != Body.UNKNOWN && length <= SMALL) {
        response.body().discard();
      }
    } catch (IOException e) {
      // The content is not needed; what is lost is the connection. An interrupt stays set.
    }
  }

  /**
   * Whether a response is about the resource that was asked for: after a redirect, or a step that
   * has sent another request, it is not.
   */
  private boolean isAboutTarget(Response response) {
    Request sent = response.request();
    return sent == null
        || (sent.method().equals(asked.request().method())
            && sent.origin().equals(asked.request().origin())
            && sent.target().equals(asked.request().target()));
  }

  // ---- what is still valid

  /** The response that a 304 has validated; null if it is about none, or its content is lost. */
  private @Nullable Response validated(Validation validation, Response response)
      throws IOException {
    CachedResponse known =
        isAboutTarget(response) ? validation.validated(response.headers()) : null;
    if (known == null) {
      return null;
    }
    CachedResponse fresh = freshened(known, response);
    String status = CacheStatus.validated(why, response.status());
    Response answer = answer(context, asked, fresh, status, CacheControl.NONE);
    if (answer == null) {
      return null;
    }
    context.counters().validated.increment();
    Request sent = response.request();
    return sent == null ? answer : answer.answering(sent, response.earlier());
  }

  /** Brings what is stored up to date (section 4.3.4), and returns it. */
  private CachedResponse freshened(CachedResponse known, Response response) throws IOException {
    Headers merged = known.mergedWith(response.headers(), receivedAt);
    boolean isPublic = CacheControl.ofResponse(merged).isPublic();
    Variant now = Variant.of(asked, merged, response.request(), isPublic);
    Variant selects = now == null ? known.variant() : known.variant().orElse(now);
    CachedResponse fresh = known.withHead(merged, selects, requestedAt, receivedAt);
    if (asked.control().noStore()) {
      return fresh; // Section 5.2.1.5: nothing of this response is stored.
    }
    if (now != null && context.policy().mayStore(asked.control(), fresh)) {
      context.store().replace(asked.key(), known, fresh);
    } else {
      context.store().remove(asked.key(), known);
    }
    return fresh;
  }

  /** Learns from a response to HEAD (section 4.3.5), or a 304 to the caller's own conditions. */
  private void bringUpToDate(Response response) throws IOException {
    if (!isAboutTarget(response)) {
      return;
    }
    Headers headers = response.headers();
    if (asked.isHead() && response.status().equals(Status.OK)) {
      for (CachedResponse each : stored) {
        if (!mightAnswerHead(each)) {
          continue;
        }
        if (Validation.isOfSameContent(headers, each)) {
          freshened(each, response);
        } else {
          context.store().remove(asked.key(), each);
        }
      }
    } else if (!asked.isHead() && headers.contains(HeaderName.ETAG)) {
      List<CachedResponse> own =
          stored.stream().filter(each -> each.variant().isFor(asked)).toList();
      CachedResponse known = Validation.identified(own, headers);
      if (known != null) {
        freshened(known, response);
      }
    }
  }

  /** The client asks for codings with GET and not with HEAD, so that the answers may differ. */
  private boolean mightAnswerHead(CachedResponse response) {
    boolean otherwiseCoded = response.variant().variesBy(HeaderName.ACCEPT_ENCODING)
        && !asked.request().headers().contains(HeaderName.ACCEPT_ENCODING);
    return response.variant().matches(asked) && !otherwiseCoded;
  }

  // ---- what is stored

  /** The response of the server, which is stored while it is read if it may be. */
  private Response recorded(Response response) {
    Body body = response.body();
    CachedResponse head = body.length() > context.maxResponseBytes() ? null : head(response);
    if (head == null) {
      return CacheStatus.on(response, CacheStatus.forwarded(why));
    }
    TeeBody.Tape tape = context.store().tape(asked, head, context.maxResponseBytes(), mark);
    ByteBuffer whole = body.inMemory();
    Response answer = CacheStatus.on(response, CacheStatus.stored(why));
    if (whole == null) {
      return answer.withBody(new TeeBody(body, tape));
    }
    byte[] bytes = new byte[whole.remaining()];
    whole.get(bytes);
    tape.write(bytes, 0, bytes.length);
    tape.complete();
    return answer;
  }

  /** What would be stored of a response, without its content; null if it may not be. */
  private @Nullable CachedResponse head(Response response) {
    CacheControl control = CacheControl.ofResponse(response.headers());
    Variant variant = isAboutTarget(response)
        ? Variant.of(asked, response.headers(), response.request(), control.isPublic())
        : null;
    if (variant == null) {
      return null;
    }
    CachedResponse head = new CachedResponse(
        response.status(),
        response.version(),
        CachedResponse.stored(response.headers(), receivedAt),
        variant,
        requestedAt,
        receivedAt,
        Content.NONE);
    return context.policy().mayStore(asked.control(), head) ? head : null;
  }
}
