package heddle.client;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.StatusException;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.SlowResponseException;
import heddle.http.failure.StreamResetException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Downloads a resource into a file. The file is there only when all of it is: until then the
 * content is in a file of the same name and {@code .part}. For one thread at a time.
 *
 * <pre>{@code
 * long bytes = Download.to(Path.of("image.iso"))
 *     .resume()
 *     .progress((received, total) -> System.out.printf("%d of %d%n", received, total))
 *     .from(client, "https://example.com/image.iso");
 * }</pre>
 */
public final class Download {
  private static final int MAX_INTERRUPTIONS = 10;

  private final PartialFile part;
  private boolean resumes;
  private @Nullable Listener listener;

  /** Learns how far a download has come, on the thread that makes it, about each 64 KiB. */
  @FunctionalInterface
  public interface Listener {
    /**
     * More content is in the file.
     *
     * @param received bytes that are in the file, those of earlier attempts included
     * @param total bytes of the whole resource; {@link Body#UNKNOWN} if the server does not say
     */
    void progressed(long received, long total);
  }

  private Download(Path file) {
    this.part = new PartialFile(file);
  }

  /** A download into this file, which it replaces if there is one. */
  public static Download to(Path file) {
    return new Download(file);
  }

  /**
   * Goes on where an earlier download into the file was interrupted, in this process or another, if
   * the server still has the same resource (RFC 9110 sections 13.1.5 and 14); otherwise it starts
   * again. If the connection is lost meanwhile, the download goes on at once, up to ten times and
   * as long as each attempt brings some content. When it fails, what has arrived is kept.
   */
  public Download resume() {
    resumes = true;
    return this;
  }

  /** Tells a listener how far the download has come. */
  public Download progress(Listener newListener) {
    listener = newListener;
    return this;
  }

  /** Downloads what a URL names: see {@link HttpClient#request} and {@link #from}. */
  public long from(HttpClient client, String url, Object... values) throws IOException {
    return from(client, client.request(url, values).build());
  }

  /**
   * Downloads what a request asks for.
   *
   * @param request a GET without Range
   * @return the size of the file in bytes
   * @throws StatusException if the response has no content to download
   * @throws IOException if the call fails or the file cannot be written
   * @throws IllegalArgumentException if the request is another
   */
  public long from(HttpClient client, Request request) throws IOException {
    if (!request.method().equals(Method.GET) || request.headers().contains(HeaderName.RANGE)) {
      throw new IllegalArgumentException("a download is a GET without Range: " + request.method());
    }
    boolean done = false;
    try {
      long size = toTheEnd(client, request);
      part.complete();
      done = true;
      return size;
    } finally {
      if (!done && !resumes) {
        part.delete();
      }
    }
  }

  private long toTheEnd(HttpClient client, Request request) throws IOException {
    String url = request.origin() + request.target();
    PartialFile.@Nullable Known known = resumes ? part.known(url) : null;
    int interruptions = 0;
    while (true) {
      Attempt attempt = new Attempt(url, known);
      try {
        long size = attempt.make(client, request);
        if (size >= 0) {
          return size;
        }
        known = null; // The resource has changed, or is shorter than what is there.
      } catch (ConnectionLostException | StreamResetException | SlowResponseException e) {
        known = resumes ? part.known(url) : null;
        boolean goesOn = attempt.received > 0 && known != null;
        if (!goesOn || ++interruptions > MAX_INTERRUPTIONS) {
          throw e;
        }
      }
    }
  }

  /** One request, for the whole resource or for what is missing of it. */
  private final class Attempt {
    private final String url;
    private final PartialFile.@Nullable Known known;
    private long received;

    Attempt(String url, PartialFile.@Nullable Known known) {
      this.url = url;
      this.known = known;
    }

    /** Returns the size of the whole; -1 if it must be asked for from the start. */
    long make(HttpClient client, Request request) throws IOException {
      Request.Builder asking = request.toBuilder();
      if (!request.headers().contains(HeaderName.ACCEPT_ENCODING)) {
        asking.header(
            HeaderName.ACCEPT_ENCODING, "identity"); // Ranges count the bytes that are stored.
      }
      if (known != null) {
        asking
            .header(HeaderName.RANGE, "bytes=" + known.size() + "-")
            .header(HeaderName.IF_RANGE, known.validator());
      }
      try (Response response = client.send(asking.build())) {
        return switch (response.status().code()) {
          case 200 -> whole(response);
          case 206 -> rest(response);
          case 416 -> known == null ? refused(response) : unsatisfied(response, known.size());
          default -> refused(response);
        };
      }
    }

    private long refused(Response response) throws IOException {
      throw StatusException.of(response);
    }

    private long whole(Response response) throws IOException {
      try (OutputStream file = part.begin(url, strongValidator(response.headers()))) {
        return write(response.body(), file, 0, response.body().length());
      }
    }

    private long rest(Response response) throws IOException {
      ContentRange range = ContentRange.of(response.headers().first(HeaderName.CONTENT_RANGE));
      if (known == null || range == null || range.from() != known.size()) {
        throw new HttpException(
            "the server sent another part than the one that was asked for: "
                + response.headers().first(HeaderName.CONTENT_RANGE),
            null,
            null);
      }
      String etag = response.headers().first(HeaderName.ETAG);
      boolean same =
          etag == null || !known.validator().startsWith("\"") || etag.equals(known.validator());
      if (!same) {
        return -1;
      }
      try (OutputStream file = part.goOn(range.from())) {
        return write(response.body(), file, range.from(), range.total());
      }
    }

    /** The file is whole already if the server has as much. */
    private long unsatisfied(Response response, long size) {
      ContentRange range = ContentRange.of(response.headers().first(HeaderName.CONTENT_RANGE));
      return range != null && range.total() == size ? size : -1;
    }

    private long write(Body body, OutputStream file, long from, long total) throws IOException {
      body.transferTo(new Counted(file, from, total));
      long size = from + received;
      if (total >= 0 && size != total) {
        throw new HttpException(
            "%d bytes arrived of the %d that were announced".formatted(size, total), null, null);
      }
      return size;
    }

    private final class Counted extends OutputStream {
      private final OutputStream file;
      private final long from;
      private final long total;

      Counted(OutputStream file, long from, long total) {
        this.file = file;
        this.from = from;
        this.total = total;
      }

      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        file.write(bytes, offset, length);
        received += length;
        if (listener != null) {
          listener.progressed(from + received, total);
        }
      }
    }
  }

  /** What If-Range may hold (RFC 9110 section 13.1.5); null if there is nothing strong enough. */
  private static @Nullable String strongValidator(Headers headers) {
    String etag = headers.first(HeaderName.ETAG);
    if (etag != null) {
      return etag.startsWith("\"") ? etag : null;
    }
    String modified = headers.first(HeaderName.LAST_MODIFIED);
    Instant from = date(modified);
    Instant now = date(headers.first(HeaderName.DATE));
    boolean strong = from != null
        && now != null
        && Duration.between(from, now).compareTo(Duration.ofSeconds(1)) >= 0;
    return strong ? modified : null;
  }

  /** A date that cannot be read validates nothing. */
  private static @Nullable Instant date(@Nullable String value) {
    return value == null ? null : HttpDate.parse(value);
  }

  /**
   * @param from the first byte; -1 if there is none
   * @param total -1 if it is not known
   */
  private record ContentRange(long from, long total) {
    /** Null if it is malformed or of another unit (RFC 9110 section 14.4). */
    static @Nullable ContentRange of(@Nullable String value) {
      if (value == null || !value.startsWith("bytes ")) {
        return null;
      }
      int slash = value.indexOf('/');
      int dash = value.indexOf('-');
      try {
        String total = value.substring(slash + 1);
        String range = value.substring("bytes ".length(), slash);
        long all = total.equals("*") ? -1 : Long.parseUnsignedLong(total);
        return range.equals("*")
            ? new ContentRange(-1, all)
            : new ContentRange(Long.parseLong(value, "bytes ".length(), dash, 10), all);
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        return null;
      }
    }
  }
}
