package heddle.adapters.aws;

import heddle.http.Body;
import heddle.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Flow;
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
    return new StreamedBody(Body.replayable(length, provider::newStream), writeTimeout, onStall);
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
    Flow.Publisher<ByteBuffer> flow = FlowAdapters.toFlowPublisher(publisher);
    return new StreamedBody(Body.of(flow, length), writeTimeout, onStall);
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
}
