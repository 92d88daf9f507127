package heddle.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.codec.hpack.HpackOutput;
import heddle.codec.http2.frame.Frame;
import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Connection;
import heddle.connection.http1.Http1ServerConnection;
import heddle.connection.http2.Http2Connection;
import heddle.connection.http2.Http2ServerConnection;
import heddle.connection.negotiate.ServerNegotiator;
import heddle.http.Limits;
import heddle.testkit.Http2Peer;
import heddle.testkit.ManualChannel;
import heddle.testkit.ManualLoop;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.EventLoop;
import heddle.transport.SecureChannel;
import heddle.transport.Timer;
import heddle.transport.TlsProvider;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Connections that die of an Error, and cannot even cancel their timers then. */
class ConnectionErrorsTest {
  private final AtomicInteger closed = new AtomicInteger();
  private final ManualChannel plain = new ManualChannel(buffers -> {});
  private final AtomicReference<@Nullable ChannelListener> started = new AtomicReference<>();

  /** Which of the next uses of the channel's loop there is no memory for. */
  private final AtomicInteger loopsToGo = new AtomicInteger();

  private final Channel channel = channelWithoutMemory();

  private final OneOwner server = new OneOwner(channel) {
    @Override
    public void onClosed(ServerConnection connection) {
      closed.incrementAndGet();
    }
  };

  private final MemoryBudget budget = server.resources().budget();

  private final ConnectionListener client = new ConnectionListener() {
    @Override
    public void closed() {
      closed.incrementAndGet();
    }

    @Override
    public void capacityChanged() {}
  };

  private Channel channelWithoutMemory() {
    EventLoop loop = loopWithoutMemory(plain.loop());
    return proxy(Channel.class, plain, (name, arguments) -> switch (name) {
      case "loop" -> {
        if (loopsToGo.decrementAndGet() == 0) {
          throw new OutOfMemoryError("injected");
        }
        yield loop;
      }
      case "start" -> {
        started.set((ChannelListener) arguments[0]);
        yield null;
      }
      default -> NEXT;
    });
  }

  private static EventLoop loopWithoutMemory(ManualLoop loop) {
    return proxy(
        EventLoop.class,
        loop,
        (name, arguments) -> name.equals("newTimer")
            ? timerWithoutMemory(loop.newTimer((Runnable) arguments[0]))
            : NEXT);
  }

  private static Timer timerWithoutMemory(Timer timer) {
    return proxy(Timer.class, timer, (name, arguments) -> {
      if (name.equals("cancel")) {
        throw new OutOfMemoryError("injected");
      }
      return NEXT;
    });
  }

  /** What a call answers; {@link #NEXT} where the original is to answer. */
  private interface Answers {
    @Nullable
    Object to(String method, Object[] arguments);
  }

  private static final Object NEXT = new Object();

  private static <T> T proxy(Class<T> type, Object original, Answers answers) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
          Object answer =
              answers.to(method.getName(), arguments == null ? new Object[0] : arguments);
          if (answer != NEXT) {
            return answer;
          }
          try {
            return method.invoke(original, arguments);
          } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
          }
        }));
  }

  private void assertToldOnce(ChannelListener listener) {
    assertThrows(OutOfMemoryError.class, () -> listener.onClosed(new IOException("lost")));
    assertEquals(1, closed.get());
    assertEquals(0, budget.held());
  }

  private ChannelListener started() {
    return Objects.requireNonNull(started.get());
  }

  @Test
  void aServerHearsOfTheEndOfAnHttp1Connection() {
    Http1ServerConnection connection = new Http1ServerConnection(server);
    connection.start();
    assertToldOnce(connection);
  }

  private Http2ServerConnection newHttp2Connection() {
    return new Http2ServerConnection(
        channel, ServerLimits.DEFAULTS, budget, new RecentOrigins(), server, null);
  }

  @Test
  void aServerHearsOfTheEndOfAnHttp2ConnectionAndItsMemoryIsGivenBack() {
    Http2ServerConnection connection = newHttp2Connection();
    connection.start();
    assertToldOnce(connection);
  }

  @Test
  void aServerHearsOfTheEndOfAConnectionWithoutAProtocol() {
    new ServerNegotiator(ServerVersions.DEFAULTS, ServerLimits.DEFAULTS, budget, server)
        .accept(channel, null)
        .start();
    assertToldOnce(started());
  }

  private void assertDiesOfItsInput(ChannelListener listener, String input) {
    loopsToGo.set(2); // The first is asked the time.
    assertThrows(
        OutOfMemoryError.class,
        () -> listener.onBytes(ByteBuffer.wrap(input.getBytes(ISO_8859_1))));
    assertToldOnce(listener);
  }

  @Test
  void memoryOfAnHttp1RequestThatCouldNotBeAnnouncedIsGivenBack() {
    Http1ServerConnection connection = new Http1ServerConnection(server);
    connection.start();
    assertDiesOfItsInput(
        connection,
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nLong: " + "x".repeat(5000)
            + "\r\n\r\n");
  }

  @Test
  void memoryOfAnHttp2RequestThatCouldNotBeAnnouncedIsGivenBack() {
    Http2ServerConnection connection = newHttp2Connection();
    connection.start();
    HpackOutput out = new HpackOutput(256);
    new Frame.Settings(false, List.of()).encode(out);
    Http2Peer.headers(1, false, ":method: POST", ":scheme: http", ":authority: server", ":path: /")
        .encode(out);
    assertDiesOfItsInput(
        connection,
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + new String(out.array(), 0, out.length(), ISO_8859_1));
  }

  /** Accepts by making a channel of the one that came, or throws. */
  private record Tls(UnaryOperator<SecureChannel> handshake) implements TlsProvider {
    @Override
    public SecureChannel connect(
        Channel channel, String host, int port, List<String> protocols, Deadline deadline) {
      throw new IllegalStateException("a server connects to no peer");
    }

    @Override
    public void accept(
        Channel channel,
        List<String> protocols,
        long handshakeNanos,
        Consumer<SecureChannel> onReady,
        Consumer<IOException> onFailed) {
      onReady.accept(handshake.apply(proxy(SecureChannel.class, channel, (name, arguments) -> {
        if (name.equals("session")) {
          throw new OutOfMemoryError("injected");
        }
        return name.equals("applicationProtocol") ? "h2" : NEXT;
      })));
    }
  }

  private void assertGivenUp(UnaryOperator<SecureChannel> handshake) {
    new ServerNegotiator(ServerVersions.DEFAULTS, ServerLimits.DEFAULTS, budget, server)
        .accept(plain, new Tls(handshake))
        .start();
    assertThrows(OutOfMemoryError.class, plain.loop()::runPending);
    assertFalse(plain.isOpen());
    assertEquals(1, closed.get());
  }

  @Test
  void aServerHearsOfTheEndOfAConnectionWhoseHandshakeCannotBegin() {
    assertGivenUp(secure -> {
      throw new OutOfMemoryError("injected");
    });
  }

  @Test
  void aServerHearsOfTheEndOfAConnectionThatCannotBeginAfterItsHandshake() {
    assertGivenUp(secure -> secure);
  }

  @Test
  void aPoolHearsOfTheEndOfAnHttp1Connection() {
    Http1Connection.start(channel, Limits.DEFAULTS, new HeadParsers(), false, client);
    assertToldOnce(started());
  }

  @Test
  void aPoolHearsOfTheEndOfAnHttp2Connection() {
    Http2Connection.start(channel, Limits.DEFAULTS, Duration.ofSeconds(10), client);
    assertToldOnce(started());
  }
}
