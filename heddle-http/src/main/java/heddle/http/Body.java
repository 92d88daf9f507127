package heddle.http;

import heddle.http.io.FileStreams;
import heddle.http.io.PublisherInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message (RFC 9110 section 6.4). A body that is not {@linkplain #isReplayable
 * replayable} can be opened once, after that {@link IllegalStateException} is thrown; a replayable
 * one may be opened at any time, by several threads.
 *
 * <p>A received body must be read to its end or closed, or its connection is not free again; the
 * methods that read all of it do that, whether they succeed or not.
 *
 * <pre>{@code
 * Request post = Request.post("http://localhost:8080/echo", Body.of(Path.of("report.pdf")));
 * try (Response response = client.send(post)) {
 *   String answer = response.string();
 * }
 * }</pre>
 */
public abstract class Body implements AutoCloseable {
  /** The {@link #length} of a body whose length is not known beforehand. */
  public static final long UNKNOWN = -1;

  /** The most bytes that {@link #bytes()} and {@link #string()} take into memory: 64 MiB. */
  public static final long MAX_IN_MEMORY = 64L << 20;

  private static final int CHUNK = 64 << 10;
  private static final int FIRST_BUFFER = 8 << 10; // grows with what has arrived

  private static final byte[] NO_BYTES = {};
  private static final Body EMPTY = new MemoryBody(NO_BYTES, null);

  /** For subclasses: a received body, or a user's own kind. */
  protected Body() {}

  /** Opens a stream; a {@code Supplier} that may fail. */
  @FunctionalInterface
  public interface IOSupplier<T> {
    /** Returns it, or throws what went wrong. */
    T get() throws IOException;
  }

  /** Writes the content of a body. */
  @FunctionalInterface
  public interface Writer {
    /**
     * Writes all of the content. Called at most once.
     *
     * @param out need not be closed; writing fails once the peer takes no more
     * @throws IOException if writing fails, or the content cannot be produced
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /** No content. */
  public static Body empty() {
    return EMPTY;
  }

  /** These bytes, which must not be changed afterwards; replayable, of no media type. */
  public static Body of(byte[] bytes) {
    return new MemoryBody(bytes, null);
  }

  /** These bytes, which must not be changed afterwards; replayable. */
  public static Body of(byte[] bytes, MediaType mediaType) {
    return new MemoryBody(bytes, mediaType);
  }

  /** A text as {@code text/plain; charset=utf-8}; replayable. */
  public static Body of(String text) {
    return of(text, MediaType.TEXT_PLAIN_UTF8);
  }

  /**
   * A text in the charset of {@code mediaType}, or in UTF-8 if it names none; replayable. What the
   * charset cannot encode becomes its replacement character.
   *
   * @throws IllegalArgumentException if the media type names a charset that this JVM does not have
   *     or cannot encode
   */
  public static Body of(String text, MediaType mediaType) {
    Charset charset = mediaType.charset();
    boolean unknown = charset == null && mediaType.parameter("charset") != null;
    if (unknown || (charset != null && !charset.canEncode())) {
      throw new IllegalArgumentException(
          "cannot encode as " + mediaType + ": give the bytes, or another charset");
    }
    return of(text.getBytes(charset == null ? StandardCharsets.UTF_8 : charset), mediaType);
  }

  /**
   * The content of a file as application/octet-stream; replayable. The file is read by a few
   * platform threads, so that a virtual thread that waits for it holds no carrier.
   *
   * @throws IOException if the file's size cannot be read, as when there is no such file
   */
  public static Body of(Path file) throws IOException {
    return of(file, MediaType.OCTET_STREAM);
  }

  /**
   * The content of a file; replayable. Its length is read now: the file must keep it until sent.
   *
   * @throws IOException if the file's size cannot be read, as when there is no such file
   */
  public static Body of(Path file, MediaType mediaType) throws IOException {
    return new StreamBody(FileStreams.sizeOf(file), mediaType, true, () -> FileStreams.open(file));
  }

  /**
   * A stream of unknown length, which can be sent once; it is closed after that, and stays open if
   * the call fails before it is read. A client that waits for it when the deadline of its call
   * passes interrupts the reading thread.
   */
  public static Body of(InputStream stream) {
    return new StreamBody(UNKNOWN, null, false, () -> stream);
  }

  /**
   * A stream of exactly {@code length} bytes, which can be sent once; it is closed after that.
   * Sending fails when the stream has fewer or more.
   *
   * @param length in bytes, or {@link #UNKNOWN}
   * @throws IllegalArgumentException if the length is negative and not {@link #UNKNOWN}
   */
  public static Body of(InputStream stream, long length) {
    return new StreamBody(checkLength(length), null, false, () -> stream);
  }

  /**
   * Streams of exactly {@code length} bytes each, which {@code source} opens anew for each
   * attempt; replayable. The length is as in {@link #of(InputStream, long)}.
   */
  public static Body replayable(long length, IOSupplier<? extends InputStream> source) {
    return new StreamBody(checkLength(length), null, true, source);
  }

  /**
   * The buffers of a publisher, which is subscribed to when the body is sent, once. At most a few
   * buffers are asked for at a time; each belongs to the body from then on. The length is as in
   * {@link #of(InputStream, long)}.
   */
  public static Body of(Flow.Publisher<ByteBuffer> publisher, long length) {
    return new StreamBody(
        checkLength(length), null, false, () -> PublisherInput.subscribe(publisher));
  }

  /**
   * A stream of unknown length that goes on while the response is read; it can be sent once and is
   * closed after that. See {@link #isDuplex}.
   *
   * @param source opens the stream, when the request is sent
   */
  public static Body duplex(IOSupplier<? extends InputStream> source) {
    return new StreamBody(UNKNOWN, null, false, source) {
      @Override
      public boolean isDuplex() {
        return true;
      }
    };
  }

  /**
   * Content of unknown length that {@code writer} writes when it is sent, once. A server runs the
   * writer on the thread that answers, and each flush sends what was written so far; short content
   * that is never flushed gets a Content-Length. Elsewhere, as in a request, {@link #stream} runs
   * the writer on a virtual thread, at most 64 KiB ahead of the reader.
   */
  public static Body written(Writer writer) {
    return new WrittenBody(Objects.requireNonNull(writer, "writer"), null);
  }

  /** As {@link #written(Writer)}, with a media type. */
  public static Body written(MediaType mediaType, Writer writer) {
    return new WrittenBody(
        Objects.requireNonNull(writer, "writer"), Objects.requireNonNull(mediaType, "mediaType"));
  }

  private static long checkLength(long length) {
    if (length < UNKNOWN) {
      throw new IllegalArgumentException(
          "length " + length + " is negative: give Body.UNKNOWN when it is not known");
    }
    return length;
  }

  /** Length in bytes, or {@link #UNKNOWN}. */
  public abstract long length();

  /** Whether the body can be opened more than once, as a retry or a redirect needs. */
  public abstract boolean isReplayable();

  /**
   * Whether the response is to be awaited and read while this content is still written. A request
   * with such content needs HTTP/2; its content is read on a thread made for it, and bytes are sent
   * as soon as a read returns them. False by default: then a call returns the response when the
   * content was sent, or the server wants no more of it.
   */
  public boolean isDuplex() {
    return false;
  }

  /**
   * Whether the content is {@linkplain #written written} by a {@link Writer}: then {@link
   * #transferTo(OutputStream)} runs it on the calling thread, while {@link #stream} needs another.
   */
  public boolean isWritten() {
    return false;
  }

  /**
   * Writes all of the content, for {@link #transferTo(OutputStream)} of a body that {@linkplain
   * #isWritten is written}, and closes what it has opened; flushes {@code out} where its writer
   * does. A body around another has that one write by {@code transferTo}.
   *
   * @return the number of bytes
   * @throws UnsupportedOperationException if the body is not written, as by default
   */
  protected long write(OutputStream out) throws IOException {
    throw new UnsupportedOperationException("this body is read: call stream()");
  }

  /** Opens the content. Closing the stream before its end gives the rest up. */
  public abstract InputStream stream() throws IOException;

  /** The media type, or null if it has none or, when received, none that can be understood. */
  public @Nullable MediaType mediaType() {
    return null;
  }

  /**
   * A new read-only view of the whole content when it is held in memory, else null. Lets a driver
   * write head and body at once; does not count as opening.
   */
  public @Nullable ByteBuffer inMemory() {
    byte[] held = array();
    return held == null ? null : ByteBuffer.wrap(held).asReadOnlyBuffer();
  }

  /** The bytes of a body that is held in memory as one array, not to be changed; else null. */
  byte @Nullable [] array() {
    return null;
  }

  /** As {@link #bytes(long)}, at most {@link #MAX_IN_MEMORY}. */
  public final byte[] bytes() throws IOException {
    return bytes(MAX_IN_MEMORY);
  }

  /**
   * Reads the whole body and closes it. What is held grows with the content that has arrived: a
   * length that is only announced costs 8 KiB at most.
   *
   * @param max the most bytes to read, at least 0; an array holds no more than 2^31 - 9
   * @throws BodyTooLargeException if there is more
   * @throws IOException if the body cannot be read, or is not of its {@link #length}
   * @throws IllegalArgumentException if {@code max} is negative
   */
  public final byte[] bytes(long max) throws IOException {
    byte[] read = readAll(max);
    // The caller owns what it gets: an array that the body still holds is copied.
    return read == array() && read.length > 0 ? read.clone() : read;
  }

  /**
   * Counts the memory in which this body's reader collects its content, before it is allocated.
   * {@link #bytes} and {@link #string} call this; who reads {@link #stream} and keeps the content
   * in memory, such as a parser, does so too. A request's body at a server counts it in the
   * server's memory budget until the request is answered; any other body does nothing.
   *
   * @param bytes the size of the memory in all, at least 0: it replaces what was counted before,
   *     and should grow with what has arrived, not with what is announced
   * @throws heddle.http.failure.ServerOverloadedException if the budget has no room for it; a
   *     handler that lets it pass answers 503
   * @throws IOException if the request is answered already
   */
  public void reserve(int bytes) throws IOException {}

  /** The whole content, perhaps in the array that the body holds. */
  private byte[] readAll(long max) throws IOException {
    byte[] held = array();
    if (held != null && held.length <= max) {
      return held;
    }
    if (max < 0) {
      throw new IllegalArgumentException("limit " + max + " is negative");
    }
    long limit = Math.min(max, Integer.MAX_VALUE - 8);
    long length = length();
    try (this) {
      if (length > limit) {
        throw BodyTooLargeException.inMemory(limit, length);
      }
      try (InputStream in = stream()) {
        return length == UNKNOWN ? readUnknown(in, (int) limit) : readExactly(in, (int) length);
      }
    }
  }

  /** What a peer announces is not believed: memory grows with what has arrived. */
  private byte[] readExactly(InputStream in, int length) throws IOException {
    byte[] buffer = grown(NO_BYTES, length <= FIRST_BUFFER ? length : grownSize(in, 0, length));
    int size = 0;
    while (size < length) {
      if (size == buffer.length) {
        buffer = grown(buffer, grownSize(in, size, length));
      }
      int n = in.read(buffer, size, buffer.length - size);
      if (n < 0) {
        throw new IOException(
            "the body ended after " + size + " of " + length + " bytes: give its true length");
      }
      size += n;
    }
    if (in.read() >= 0) {
      throw new IOException("the body has more than its " + length + " bytes");
    }
    return buffer;
  }

  /** Twice what has been read, or room for all that can be read without waiting. */
  private static int grownSize(InputStream in, int size, int length) throws IOException {
    long arrived = size + (long) Math.max(0, in.available());
    return (int) Math.min(length, Math.max(arrived, Math.max(FIRST_BUFFER, 2L * size)));
  }

  private byte[] grown(byte[] buffer, int size) throws IOException {
    reserve(size);
    return Arrays.copyOf(buffer, size);
  }

  private byte[] readUnknown(InputStream in, int limit) throws IOException {
    byte[] buffer = grown(NO_BYTES, Math.min(FIRST_BUFFER, Math.max(1, limit)));
    int size = 0;
    while (true) {
      int n = in.read(buffer, size, buffer.length - size);
      if (n < 0) {
        return size == buffer.length ? buffer : Arrays.copyOf(buffer, size);
      }
      size += n;
      if (size > limit) {
        throw BodyTooLargeException.inMemory(limit, UNKNOWN);
      }
      if (size == buffer.length) {
        // One byte more than allowed is room enough to notice that there is too much.
        buffer = grown(buffer, (int) Math.min(limit + 1L, size * 2L));
      }
    }
  }

  /** As {@link #string(long)}, at most {@link #MAX_IN_MEMORY} bytes. */
  public final String string() throws IOException {
    return string(MAX_IN_MEMORY);
  }

  /**
   * Reads the whole body as text and closes it. The charset is that of the media type, or UTF-8
   * if it names none that is known; malformed input becomes U+FFFD.
   *
   * @param max as in {@link #bytes(long)}, which says what is thrown too
   */
  public final String string(long max) throws IOException {
    byte[] bytes = readAll(max);
    MediaType mediaType = mediaType();
    Charset charset = mediaType == null ? null : mediaType.charset();
    return new String(bytes, charset == null ? StandardCharsets.UTF_8 : charset);
  }

  /**
   * Writes the whole body to {@code out}, which is neither flushed nor closed, and closes the body.
   *
   * @return the number of bytes
   */
  public final long transferTo(OutputStream out) throws IOException {
    if (isWritten()) {
      return write(out);
    }
    try (this;
        InputStream in = stream()) {
      byte[] held = array();
      if (held != null) {
        out.write(held);
        return held.length;
      }
      return copy(in, out, length());
    }
  }

  /** Only content that arrives takes a large chunk; one byte at least is needed to find its end. */
  private static long copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] chunk = new byte[length == UNKNOWN ? FIRST_BUFFER : Math.clamp(length, 1, FIRST_BUFFER)];
    long total = 0;
    for (int n; (n = in.read(chunk)) >= 0; total += n) {
      out.write(chunk, 0, n);
      if (n == FIRST_BUFFER && chunk.length == FIRST_BUFFER) {
        chunk = new byte[CHUNK];
      }
    }
    return total;
  }

  /**
   * Writes the whole body to a file, which is made or replaced, and closes the body. When it fails
   * midway, what was written so far stays. The file is written by a few platform threads, so that
   * a virtual thread that waits for it holds no carrier.
   *
   * @return the number of bytes
   */
  public final long transferTo(Path file) throws IOException {
    try (this;
        OutputStream out = FileStreams.create(file)) {
      return transferTo(out);
    }
  }

  /**
   * Waits for the end and throws all content away, so that a received body's connection is free
   * again. Cheaper than reading, since a driver drops the content where it arrives.
   *
   * @return the number of bytes
   * @throws IOException if the body cannot be read to its end
   */
  public long discard() throws IOException {
    return transferTo(OutputStream.nullOutputStream());
  }

  /**
   * Gives the rest of the content up. For a received body that is not at its end this may cost its
   * connection. Does nothing the second time, and nothing for a body in memory.
   */
  @Override
  public void close() throws IOException {}

  /** Kind and length, for a log. */
  @Override
  public String toString() {
    long length = length();
    return "Body(" + (length == UNKNOWN ? "unknown length" : length + " bytes") + ")";
  }

  private static final class MemoryBody extends Body {
    private final byte[] content;
    private final @Nullable MediaType mediaType;

    MemoryBody(byte[] content, @Nullable MediaType mediaType) {
      this.content = content;
      this.mediaType = mediaType;
    }

    @Override
    public long length() {
      return content.length;
    }

    @Override
    public boolean isReplayable() {
      return true;
    }

    @Override
    public InputStream stream() {
      return new ByteArrayInputStream(content);
    }

    @Override
    public @Nullable MediaType mediaType() {
      return mediaType;
    }

    @Override
    byte[] array() {
      return content;
    }
  }

  private static class StreamBody extends Body {
    private final long length;
    private final @Nullable MediaType mediaType;
    private final boolean replayable;
    private final IOSupplier<? extends InputStream> source;
    private final AtomicBoolean used = new AtomicBoolean();

    StreamBody(
        long length,
        @Nullable MediaType mediaType,
        boolean replayable,
        IOSupplier<? extends InputStream> source) {
      this.length = length;
      this.mediaType = mediaType;
      this.replayable = replayable;
      this.source = source;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public boolean isReplayable() {
      return replayable;
    }

    @Override
    public InputStream stream() throws IOException {
      if (!replayable && used.getAndSet(true)) {
        throw new IllegalStateException(
            "this body can be read only once, and was: use Body.replayable or Body.of(byte[])"
                + " where it is needed again");
      }
      return source.get();
    }

    @Override
    public @Nullable MediaType mediaType() {
      return mediaType;
    }

    /** Closes a stream that was given and never read, so that its owner need not. */
    @Override
    public void close() throws IOException {
      if (!replayable && !used.getAndSet(true)) {
        source.get().close();
      }
    }
  }
}
