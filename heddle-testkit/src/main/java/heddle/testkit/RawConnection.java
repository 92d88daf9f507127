package heddle.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * One end of a connection, in plain text: what a script sends and expects, byte for byte. Text is
 * ISO 8859-1, so that each character is one byte. Unexpected input is an {@link AssertionError}
 * that shows what came instead. For one thread at a time, never the loop.
 *
 * <pre>{@code
 * try (RawConnection c = RawConnection.connect(network, server)) {
 *   c.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
 *   assertTrue(c.expectMessage().startsWith("HTTP/1.1 200 OK\r\n"));
 * }
 * }</pre>
 */
public final class RawConnection implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Long, because virtual time costs nothing and scripts may wait for idle timeouts. */
  private static final Duration VIRTUAL_PATIENCE = Duration.ofHours(1);

  private final Network network;
  private final Channel channel;
  private final RawInput input;
  private Duration patience;

  RawConnection(Network network, Channel channel) {
    this.network = network;
    this.channel = channel;
    this.input = new RawInput(channel.loop());
    this.patience =
        network instanceof SimNetwork sim && sim.isVirtual() ? VIRTUAL_PATIENCE : PATIENCE;
    channel.start(input);
  }

  /**
   * Connects to a server.
   *
   * @throws IOException when the network fails or nothing answers in 10 s (an hour of virtual time)
   */
  public static RawConnection connect(Network network, SocketAddress address) throws IOException {
    Duration limit =
        network instanceof SimNetwork sim && sim.isVirtual() ? VIRTUAL_PATIENCE : PATIENCE;
    return new RawConnection(
        network, network.connect(address, Deadline.after(limit, network.clock())));
  }

  /** The accepting side of a channel that was not started yet. */
  public static RawConnection on(Network network, Channel channel) {
    return new RawConnection(network, channel);
  }

  /** How long each of the following steps may take; 10 s, or an hour of virtual time. */
  public RawConnection patience(Duration limit) {
    patience = limit;
    return this;
  }

  /** The channel below. */
  public Channel channel() {
    return channel;
  }

  // ---- sending

  /** Writes text. */
  public void send(String text) throws IOException {
    send(text.getBytes(ISO_8859_1));
  }

  /** Writes bytes. */
  public void send(byte[] bytes) throws IOException {
    channel.write(ByteBuffer.wrap(bytes), limit());
  }

  /**
   * Writes text in pieces, with a pause of the network's time after each but the last.
   *
   * @param bytesAtATime at least 1
   */
  public void sendSlowly(String text, int bytesAtATime, Duration pause) throws IOException {
    if (bytesAtATime < 1) {
      throw new IllegalArgumentException("cannot send " + bytesAtATime + " bytes at a time");
    }
    for (int from = 0; from < text.length(); from += bytesAtATime) {
      if (from > 0) {
        sleep(pause);
      }
      send(text.substring(from, Math.min(text.length(), from + bytesAtATime)));
    }
  }

  /** Ends the output; reading goes on. */
  public void shutdownOutput() {
    channel.shutdownOutput();
  }

  /** Waits for a while of the network's time. */
  public void sleep(Duration time) throws IOException {
    Deadline end = Deadline.after(time, network.clock());
    Waiting.until(() -> end.isPast(network.clock()), channel.loop(), end, "sleeping");
  }

  // ---- receiving

  /** Reads exactly this text. */
  public void expect(String text) throws IOException {
    byte[] wanted = text.getBytes(ISO_8859_1);
    await(() -> input.size() >= wanted.length || differs(wanted), "the text\n" + visible(text));
    if (input.size() < wanted.length || differs(wanted)) {
      throw failure("expected the text\n" + visible(text));
    }
    input.take(wanted.length);
  }

  private boolean differs(byte[] wanted) {
    byte[] came = input.received();
    for (int i = 0; i < Math.min(came.length, wanted.length); i++) {
      if (came[i] != wanted[i]) {
        return true;
      }
    }
    return false;
  }

  /** Reads up to and including the first empty line: a head, as it came. */
  public String expectHead() throws IOException {
    await(() -> RawInput.RawFraming.headLength(input.received()).isPresent(), "a head");
    OptionalInt length = RawInput.RawFraming.headLength(input.received());
    if (length.isEmpty()) {
      throw failure("expected a head");
    }
    return take(length.getAsInt());
  }

  /** Reads up to and including the next end of a line. */
  public String expectLine() throws IOException {
    await(() -> peek().contains("\r\n"), "a line");
    int end = peek().indexOf("\r\n");
    if (end < 0) {
      throw failure("expected a line");
    }
    return take(end + 2);
  }

  /**
   * Reads a whole message, head, content and framing as they came: by {@code Content-Length}, to
   * the last chunk and its trailers, or for a response without either to the end of the stream. Not
   * for answers to HEAD, which end with their head.
   */
  public String expectMessage() throws IOException {
    await(
        () -> RawInput.RawFraming.messageLength(input.received(), false).isPresent(), "a message");
    OptionalInt length = RawInput.RawFraming.messageLength(input.received(), input.isOver());
    if (length.isEmpty()) {
      throw failure("expected a message");
    }
    return take(length.getAsInt());
  }

  /** Reads exactly {@code count} bytes. */
  public byte[] expectBytes(int count) throws IOException {
    await(() -> input.size() >= count, count + " bytes");
    if (input.size() < count) {
      throw failure("expected " + count + " bytes");
    }
    return input.take(count);
  }

  /** Reads everything up to the peer's end of the stream. */
  public String readToEnd() throws IOException {
    await(() -> false, "the end of the stream");
    if (input.cause() != null || !input.isOver()) {
      throw failure("expected the end of the stream");
    }
    return take(input.size());
  }

  /** The peer ends the stream, and nothing came before that. */
  public void expectEnd() throws IOException {
    await(() -> input.size() > 0, "the end of the stream");
    if (input.cause() != null || !input.isOver() || input.size() > 0) {
      throw failure("expected the end of the stream and nothing else");
    }
  }

  /** The connection breaks, whatever came before that. */
  public void expectReset() throws IOException {
    Deadline limit = limit();
    try {
      input.awaitClosed(limit);
    } catch (DeadlinePassedException e) {
      throw failure("expected a reset");
    }
    if (input.cause() == null) {
      throw failure("expected a reset");
    }
  }

  /** Waits for the next byte; false when the stream ends or breaks instead. */
  public boolean hasMore() throws IOException {
    await(() -> input.size() > 0, "another byte or the end");
    return input.size() > 0;
  }

  /** Reads and drops whatever comes, until the stream ends or breaks. */
  public void drain() throws IOException {
    while (hasMore()) {
      input.take(input.size());
    }
  }

  /** Waits for {@code count} bytes, fewer at the end of the stream, and leaves them unread. */
  public byte[] peekBytes(int count) throws IOException {
    await(() -> input.size() >= count, count + " bytes or the end");
    byte[] came = input.received();
    return Arrays.copyOf(came, Math.min(count, came.length));
  }

  /** What has come so far and has not been read; does not wait. */
  public String peek() {
    return new String(input.received(), ISO_8859_1);
  }

  /** Reads nothing more for now, so that the peer is slowed down. */
  public void pauseReading() {
    channel.pauseReading();
  }

  /** Reads on. */
  public void resumeReading() {
    channel.resumeReading();
  }

  // ---- closing

  @Override
  public void close() {
    channel.close();
  }

  /** Breaks the connection with a reset (an RST). */
  public void reset() {
    channel.abort();
  }

  // ---- waiting

  private Deadline limit() {
    return Deadline.after(patience, network.clock());
  }

  /** Returns when done or at the end of the stream; fails when the time is up. */
  private void await(BooleanSupplier done, String what) throws IOException {
    try {
      input.await(done, limit(), what);
    } catch (DeadlinePassedException e) {
      throw failure("waited " + patience + " for " + what);
    }
  }

  private String take(int count) {
    return new String(input.take(count), ISO_8859_1);
  }

  private AssertionError failure(String expectation) {
    String came = peek();
    String text = came.isEmpty() ? "but nothing came" : "but this came\n" + visible(came);
    return new AssertionError(expectation + "\n" + text + "\n(" + input.state() + ")");
  }

  /** Makes line ends and what cannot be printed visible. */
  private static String visible(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\r' -> out.append("\\r");
        case '\n' -> out.append("\\n\n");
        default -> {
          if (c >= ' ' && c < 0x7F) {
            out.append(c);
          } else {
            out.append(String.format("\\x%02x", (int) c));
          }
        }
      }
    }
    return out.toString();
  }
}
