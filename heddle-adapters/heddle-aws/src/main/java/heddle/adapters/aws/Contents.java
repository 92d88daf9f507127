package heddle.adapters.aws;

import heddle.adapters.support.TimeLimit;
import heddle.http.Body;
import heddle.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/** Request content of the length that the fields announce. */
final class Contents {
  /**
   * Content up to this size is read before the request is sent, so that it is sent in one write
   * with the head. Any socket buffer has room for it.
   */
  private static final int SMALL_BYTES = 16 * 1024;

  private final @Nullable Duration writeTimeout;

  /** False over HTTP/2, where the peer's windows may allow less than a socket buffer holds. */
  private final boolean mayReadAhead;

  Contents(@Nullable Duration writeTimeout, @Nullable HttpVersion version) {
    this.writeTimeout = writeTimeout;
    this.mayReadAhead = version == HttpVersion.HTTP_1_1;
  }

  /**
   * Returns the content of a provider. Without Content-Length and Transfer-Encoding it is read into
   * memory, because AWS services require a length.
   *
   * @param onStall told when the server takes nothing of it for too long
   */
  Body provided(
      SdkHttpRequest request,
      @Nullable ContentStreamProvider provider,
      Consumer<IOException> onStall)
      throws IOException {
    if (provider == null) {
      return Body.empty();
    }
    long length = announced(request);
    if (length == Body.UNKNOWN && !isChunked(request)) {
      return Body.of(Body.replayable(Body.UNKNOWN, provider::newStream).bytes());
    }
    if (length == 0 || (mayReadAhead && length > 0 && length <= SMALL_BYTES)) {
      return readAhead(provider, (int) length);
    }
    Body content = Body.replayable(length, provider::newStream);
    return Body.replayable(length, () -> new Announced(content, content.stream(), limit(onStall)));
  }

  private static Body readAhead(ContentStreamProvider provider, int length) throws IOException {
    try (InputStream content = provider.newStream()) {
      byte[] read = content.readNBytes(length);
      if (read.length < length) {
        throw new IOException("the request's content ended after " + read.length + " bytes, but "
            + "Content-Length announces " + length);
      }
      return Body.of(read);
    }
  }

  /**
   * Returns the content of a publisher, which is subscribed to when it is sent, unless it is empty.
   *
   * @param onStall told when the server takes nothing of it for too long
   */
  Body published(
      SdkHttpRequest request,
      @Nullable SdkHttpContentPublisher publisher,
      Consumer<IOException> onStall) {
    if (publisher == null) {
      return Body.empty();
    }
    long given = announced(request);
    long length = given != Body.UNKNOWN ? given : publisher.contentLength().orElse(Body.UNKNOWN);
    if (length == 0) {
      return Body.empty();
    }
    Body flow = Body.of(FlowAdapters.toFlowPublisher(publisher), length);
    return Body.of(new Announced(flow, null, limit(onStall)), length);
  }

  private static boolean isChunked(SdkHttpRequest request) {
    return request.matchingHeaders("Transfer-Encoding").stream()
        .anyMatch("chunked"::equalsIgnoreCase);
  }

  /**
   * The value of Content-Length.
   *
   * @throws IllegalArgumentException if it is not a number, or is negative
   */
  private static long announced(SdkHttpRequest request) {
    String value = request.firstMatchingHeader("Content-Length").orElse(null);
    if (value == null) {
      return Body.UNKNOWN;
    }
    try {
      long length = Long.parseLong(value.strip());
      if (length >= 0) {
        return length;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(unusable(value), e);
    }
    throw new IllegalArgumentException(unusable(value));
  }

  private static String unusable(String value) {
    return "Content-Length must be a number of bytes, not " + value;
  }

  // ---- streamed

  /** The write timeout of one content; null for none. */
  private @Nullable TimeLimit limit(Consumer<IOException> onStall) {
    Duration timeout = writeTimeout;
    if (timeout == null) {
      return null;
    }
    Runnable stalled = () ->
        onStall.accept(new SocketTimeoutException("the server accepted no bytes of the request for "
            + timeout.toMillis() + " ms; raise writeTimeout of the HTTP client's builder"));
    return new TimeLimit(timeout.toNanos(), () -> Thread.startVirtualThread(stalled));
  }

  /**
   * Content that is opened when it is read, if it was not before, and cut to its announced length
   * as by the SDK's own clients. The client reads the next piece once the previous one was written,
   * so the time between two reads, which is limited, is the time that the server took to accept it.
   */
  private static final class Announced extends InputStream {
    private final Body content;
    private final @Nullable TimeLimit limit;
    private volatile @Nullable InputStream opened;
    private long left;

    Announced(Body content, @Nullable InputStream opened, @Nullable TimeLimit limit) {
      this.content = content;
      this.opened = opened;
      this.limit = limit;
      this.left = content.length() == Body.UNKNOWN ? Long.MAX_VALUE : content.length();
    }

    private InputStream in() throws IOException {
      InputStream known = opened;
      InputStream in = known == null ? content.stream() : known;
      opened = in;
      return in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      Objects.checkFromIndexSize(offset, count, target.length);
      if (limit != null) {
        limit.end();
      }
      int taken = left == 0 ? -1 : in().read(target, offset, (int) Math.min(count, left));
      if (taken > 0) {
        left -= taken;
        if (limit != null) {
          limit.begin();
        }
      }
      return taken;
    }

    @Override
    public int available() throws IOException {
      return (int) Math.min(in().available(), left);
    }

    @Override
    public void close() throws IOException {
      if (limit != null) {
        limit.end();
      }
      InputStream known = opened;
      if (known == null) {
        content.close();
      } else {
        known.close();
      }
    }
  }
}
