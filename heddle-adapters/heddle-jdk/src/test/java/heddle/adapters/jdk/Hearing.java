package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A listener of a WebSocket that notes what it is called with. */
class Hearing implements WebSocket.Listener {
  private static final int PATIENCE_SECONDS = 30;

  /** The calls, such as {@code text hello} or {@code binary... 1} for a part. */
  final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  /** Why the socket failed. */
  volatile @Nullable Throwable error;

  private final long requested;

  /** Requests {@code requested} calls when the socket is open; 0 for none. */
  Hearing(long requested) {
    this.requested = requested;
  }

  /** Requests all there is. */
  Hearing() {
    this(Long.MAX_VALUE);
  }

  /** Waits for the next call. */
  String next() throws InterruptedException {
    String next = heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertNotNull(next, "the listener was not called");
    return next;
  }

  @Override
  public void onOpen(WebSocket socket) {
    heard.add("open");
    if (requested > 0) {
      socket.request(requested);
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
    heard.add("text" + (last ? " " : "... ") + text);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer bytes, boolean last) {
    heard.add("binary" + (last ? " " : "... ") + StandardCharsets.UTF_8.decode(bytes));
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer bytes) {
    heard.add("ping " + StandardCharsets.UTF_8.decode(bytes));
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer bytes) {
    heard.add("pong " + StandardCharsets.UTF_8.decode(bytes));
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    heard.add("close " + code + " " + reason);
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable failure) {
    error = failure;
    heard.add("error");
  }
}
