package heddle.connection.http1;

import heddle.connection.ConnectionMemory.Reason;
import heddle.connection.ContentReservation;
import heddle.connection.DrainNotice;
import heddle.connection.InboundBody;
import heddle.connection.MinimumRate;
import heddle.connection.TimedWriter;
import heddle.connection.UpgradedStream;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server's connection that has switched to another protocol. The loop fills in its input. */
final class Http1Upgraded implements UpgradedStream, InboundBody.Source {
  private static final int INPUT_OVER = 1;
  private static final int OUTPUT_OVER = 2;
  private static final int BOTH_OVER = INPUT_OVER | OUTPUT_OVER;

  private final Http1ServerConnection connection;
  private final ContentReservation collected;
  private final InboundBody inbound;
  private final InputStream input;
  private final UpgradedOutput output;
  private final DrainNotice notice = new DrainNotice();

  /** Which directions are over. */
  private final AtomicInteger over = new AtomicInteger();

  /** @param collected what is counted for the handler until its exchange ends */
  Http1Upgraded(Http1ServerConnection connection, ContentReservation collected) {
    this.connection = connection;
    this.collected = collected;
    this.inbound = new InboundBody(
        this,
        connection.channel().loop(),
        Http1ServerExchange.MAX_UNREAD_BYTES,
        Body.UNKNOWN,
        Headers.empty());
    this.input = inbound.stream();
    TimedWriter writer =
        new TimedWriter(connection.channel(), connection.limits().writeTimeout(), MinimumRate.OFF);
    this.output = new UpgradedOutput(
        connection.channel(), content -> connection.write(writer, content), this::outputClosed);
  }

  // On the loop.

  void received(ByteBuffer bytes) {
    int count = bytes.remaining();
    connection.memory().arrived(count);
    if (!inbound.append(bytes)) {
      connection.memory().taken(count);
    }
  }

  /** The peer has ended its direction. */
  void inputEnded() {
    inbound.end(Headers.empty());
    directionOver(INPUT_OVER);
  }

  /** The channel is closed. */
  void lost(@Nullable IOException cause) {
    inbound.fail(new ConnectionLostException(
        "the connection was lost",
        Progress.CONTENT,
        cause == null ? Side.SELF : Side.UNKNOWN,
        null,
        cause));
  }

  void drain() {
    notice.send();
  }

  // From any thread.

  /** Whether both directions have ended in order, or this side has given them up. */
  boolean isOver() {
    return over.get() == BOTH_OVER;
  }

  private void outputClosed() {
    connection.channel().shutdownOutput();
    directionOver(OUTPUT_OVER);
  }

  private void directionOver(int direction) {
    int before = over.getAndUpdate(known -> known | direction);
    if (before != BOTH_OVER && (before | direction) == BOTH_OVER) {
      connection.channel().close();
    }
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public void onDrain(Runnable task) {
    notice.set(task);
  }

  @Override
  public void reserve(int bytes) throws IOException {
    collected.resizeTo(bytes);
  }

  @Override
  public void close() {
    if (over.getAndSet(BOTH_OVER) != BOTH_OVER) {
      inbound.close();
      connection.channel().loop().execute(connection::linger);
    }
  }

  @Override
  public void abort() {
    if (over.getAndSet(BOTH_OVER) != BOTH_OVER) {
      inbound.close();
      connection.channel().close();
    }
  }

  // The input's source is the channel.

  @Override
  public void pause() {
    connection.memory().pause(Reason.UNREAD_CONTENT);
  }

  @Override
  public void resume() {
    connection.memory().resume(Reason.UNREAD_CONTENT);
  }

  @Override
  public void freed(int bytes) {
    connection.memory().taken(bytes);
  }
}
