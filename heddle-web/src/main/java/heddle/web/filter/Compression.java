package heddle.web.filter;

import heddle.http.Body;
import heddle.http.ContentCoding;
import heddle.http.GzipBody;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the content of responses for clients that take it (RFC 9110 §12.5.3): by gzip, and by
 * each {@link ContentCoding} that is installed, such as those of heddle-brotli and heddle-zstd.
 * Thread-safe.
 *
 * <pre>{@code
 * HttpServer.builder().exchangeHandler(Compression.defaults().before(handler)).start();
 * }</pre>
 *
 * <p>A response is compressed if its media type is compressible and its content is 1 KiB or longer,
 * or of unknown length. It is not if it has Content-Encoding, Content-Range, a digest of its
 * content or {@code Cache-Control: no-transform}, so a handler can forbid it. What a handler
 * flushes is sent at once, compressed so far, as is what a stream of unknown length returns; so
 * server-sent events work.
 *
 * <p>Each response that could be compressed gets {@code Vary: Accept-Encoding}. In one that is, a
 * strong ETag becomes weak, because the octets differ ({@code "7"} becomes {@code W/"7"}): handlers
 * have to compare If-None-Match weakly (RFC 9110 §13.1.2), and conditions that need a strong tag,
 * such as If-Range, fail. For the same reason Accept-Ranges is removed. Content-Length is removed,
 * and added again if the compressed content is short.
 *
 * <p><b>Security:</b> the length of a compressed response tells what repeats in it. If a page holds
 * a secret, such as a token against forged requests, and text of the request's too, an attacker who
 * can make a browser send many requests and sees their lengths can guess the secret (the attack
 * BREACH). Leave such pages out (by {@code Cache-Control: no-transform}, or with the filter before
 * other handlers only), or mask the secret differently in each response.
 *
 * <p>An encoder holds memory outside the heap: gzip some 256 KiB, Brotli up to 20 MB. While {@link
 * Builder#maxEncoders} are in use, other responses are sent as they are.
 */
public final class Compression implements Filter {
  private static final List<HeaderName> DIGESTS = List.of(
      HeaderName.of("Content-Digest"),
      HeaderName.of("Repr-Digest"),
      HeaderName.of("Digest"),
      HeaderName.of("Content-MD5"));

  private static final ContentCoding GZIP = new Gzip();

  private final List<ContentCoding> codings;
  private final long minimumLength;
  private final Predicate<? super MediaType> mediaTypes;
  private final int maxEncoders;
  private final AtomicInteger encoders = new AtomicInteger();

  private Compression(Builder builder) {
    List<ContentCoding> counted = new ArrayList<>();
    builder.codings.forEach(coding -> counted.add(new CountedCoding(coding, encoders)));
    codings = List.copyOf(counted);
    minimumLength = builder.minimumLength;
    mediaTypes = builder.mediaTypes;
    maxEncoders = builder.maxEncoders;
  }

  /** With the defaults that {@link Builder} states. */
  public static Compression defaults() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The coding gzip (RFC 1952) by the JDK, for {@link Builder#codings}. It only encodes. */
  public static ContentCoding gzip() {
    return GZIP;
  }

  /**
   * Whether content of this media type becomes shorter by compression: text, JSON, XML, scripts,
   * WebAssembly, uncompressed fonts and bitmaps, and what has such a suffix
   * ({@code image/svg+xml}).
   */
  public static boolean isCompressible(MediaType mediaType) {
    return CompressibleTypes.contains(mediaType);
  }

  /** How many responses are being compressed now. */
  public int openEncoders() {
    return encoders.get();
  }

  /** The settings of a {@link Compression}. Not thread-safe. */
  public static final class Builder {
    private static final long MINIMUM_LENGTH = 1024;
    private static final int MAX_ENCODERS = 256;

    private List<ContentCoding> codings = withGzip(ContentCoding.installed());
    private long minimumLength = MINIMUM_LENGTH;
    private Predicate<? super MediaType> mediaTypes = Compression::isCompressible;
    private int maxEncoders = MAX_ENCODERS;

    private Builder() {}

    private static List<ContentCoding> withGzip(List<ContentCoding> installed) {
      List<ContentCoding> all = new ArrayList<>(installed);
      all.add(GZIP);
      return List.copyOf(all);
    }

    /**
     * The codings, in the order of the server's preference, which decides between those that the
     * client likes equally. By default the {@linkplain ContentCoding#installed installed} ones,
     * then {@link #gzip()}.
     *
     * @throws IllegalArgumentException if there are none
     */
    public Builder codings(List<ContentCoding> newCodings) {
      if (newCodings.isEmpty()) {
        throw new IllegalArgumentException("give at least one coding, or leave the filter out");
      }
      codings = List.copyOf(newCodings);
      return this;
    }

    /** The shortest content that is compressed, in bytes: 1,024 by default, at least 0. */
    public Builder minimumLength(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("minimumLength must not be negative, but was " + bytes);
      }
      minimumLength = bytes;
      return this;
    }

    /** Which media types are compressed: {@link #isCompressible} by default. */
    public Builder mediaTypes(Predicate<? super MediaType> compressible) {
      mediaTypes = Objects.requireNonNull(compressible, "mediaTypes");
      return this;
    }

    /**
     * How many responses may be compressed at once: 256 by default. Requests that are decided at
     * the same moment may exceed it.
     *
     * @param count at least 1
     */
    public Builder maxEncoders(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("maxEncoders must be at least 1, but was " + count);
      }
      maxEncoders = count;
      return this;
    }

    /** Builds the filter. */
    public Compression build() {
      return new Compression(this);
    }
  }

  /**
   * How a response is sent.
   *
   * @param coding null to send the content as it is
   */
  record Plan(Response head, @Nullable ContentCoding coding) {}

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    CompressedExchange compressed = new CompressedExchange(exchange, this);
    try {
      Response response = next.handle(compressed);
      if (response != null) {
        return compress(exchange.request(), response);
      }
      compressed.finish();
      return null;
    } finally {
      compressed.release();
    }
  }

  private Response compress(Request request, Response response) {
    Body body = response.body();
    long length = body.length();
    if (length == 0 && response.status().mayHaveContent()) {
      String given = response.headers().first(HeaderName.CONTENT_LENGTH);
      if (given == null || !request.method().equals(Method.HEAD)) {
        return response;
      }
      length = parseLength(given); // which GET would have
    }
    Plan plan = plan(request, response, length);
    ContentCoding coding = plan.coding();
    return coding == null || body.length() == 0
        ? plan.head()
        : plan.head().withBody(coding.compress(PromptContent.of(body)));
  }

  /** {@link Body#UNKNOWN} for a value that the server will refuse. */
  static long parseLength(String value) {
    try {
      return Math.max(Body.UNKNOWN, Long.parseLong(value));
    } catch (NumberFormatException e) {
      return Body.UNKNOWN;
    }
  }

  /** Whether the content of a response is dropped by the server. */
  static boolean isWithoutContent(Request request, Response head) {
    return request.method().equals(Method.HEAD) || !head.status().mayHaveContent();
  }

  /**
   * Decides about a response.
   *
   * @param length of its content, or {@link Body#UNKNOWN}
   */
  Plan plan(Request request, Response head, long length) {
    if (head.status().equals(Status.NOT_MODIFIED)) {
      return new Plan(notModified(request, head), null);
    }
    boolean small = length >= 0 && length < minimumLength;
    if (small || !mayBeCoded(request, head) || !hasCompressibleType(head.headers())) {
      return new Plan(head, null);
    }
    Headers varying = Vary.on(HeaderName.ACCEPT_ENCODING, head.headers());
    ContentCoding coding = CodingChoice.of(codings, request.headers());
    if (coding == null || encoders.get() >= maxEncoders) {
      return new Plan(withHeaders(head, varying), null);
    }
    Headers.Builder fields = varying.toBuilder()
        .remove(HeaderName.CONTENT_LENGTH)
        .remove(HeaderName.ACCEPT_RANGES)
        .set(HeaderName.CONTENT_ENCODING, coding.name());
    weakenTag(varying, fields);
    return new Plan(withHeaders(head, fields.build()), coding);
  }

  private static Response withHeaders(Response head, Headers fields) {
    return head.toBuilder().headers(fields).build();
  }

  private static boolean mayBeCoded(Request request, Response head) {
    Headers fields = head.headers();
    return head.status().mayHaveContent()
        && !head.status().equals(Status.PARTIAL_CONTENT)
        && !request.method().equals(Method.CONNECT)
        && !fields.contains(HeaderName.CONTENT_ENCODING)
        && !fields.contains(HeaderName.CONTENT_RANGE)
        && !fields.containsToken(HeaderName.CACHE_CONTROL, "no-transform")
        && DIGESTS.stream().noneMatch(fields::contains);
  }

  private boolean hasCompressibleType(Headers fields) {
    String value = fields.first(HeaderName.CONTENT_TYPE);
    if (value == null) {
      return false;
    }
    MediaType mediaType;
    try {
      mediaType = MediaType.parse(value);
    } catch (IllegalArgumentException e) {
      return false; // malformed, so nothing is known of the content
    }
    return mediaTypes.test(mediaType);
  }

  /** It has the fields that a cache needs to find its response, RFC 9110 §15.4.5. */
  private Response notModified(Request request, Response head) {
    if (head.headers().containsToken(HeaderName.CACHE_CONTROL, "no-transform")) {
      return head;
    }
    Headers varying = Vary.on(HeaderName.ACCEPT_ENCODING, head.headers());
    Headers.Builder fields = varying.toBuilder();
    if (CodingChoice.of(codings, request.headers()) != null) {
      weakenTag(varying, fields);
    }
    return withHeaders(head, fields.build());
  }

  private static void weakenTag(Headers given, Headers.Builder fields) {
    String tag = given.first(HeaderName.ETAG);
    if (tag != null && tag.startsWith("\"")) {
      fields.set(HeaderName.ETAG, "W/" + tag);
    }
  }

  /** What clients need is in their module: they decode gzip by themselves. */
  private static final class Gzip implements ContentCoding {
    @Override
    public String name() {
      return "gzip";
    }

    @Override
    public Decoder decoder() {
      throw new UnsupportedOperationException("this implementation of gzip only encodes");
    }

    @Override
    public OutputStream encoder(OutputStream target) throws IOException {
      return GzipBody.encoder(target);
    }
  }
}
