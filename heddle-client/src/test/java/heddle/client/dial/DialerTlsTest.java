package heddle.client.dial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.call.CallOptions;
import heddle.client.call.Calls;
import heddle.client.pool.ConnectionPool;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.Timeouts;
import heddle.client.spi.Route;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TlsException;
import heddle.testkit.SimNetwork;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.TlsProvider;
import heddle.transport.Waiting;
import heddle.transport.WriteProgress;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the dialer asks of TLS, and what it makes of the answers. */
@Timeout(60)
class DialerTlsTest {
  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 443);

  @AutoClose
  private final SimNetwork network = SimNetwork.builder().virtualTime().build();

  private final List<String> asked = new ArrayList<>();
  private Channel dialled;

  @BeforeEach
  void listen() throws IOException {
    Network.Listening unused = network.listen(SERVER, 1, channel -> {});
  }

  /** How a handshake goes. */
  private interface Outcome {
    SecureChannel of(Channel channel, Deadline deadline) throws IOException;
  }

  private TlsProvider tls(Outcome outcome) {
    return new TlsProvider() {
      @Override
      public SecureChannel connect(
          Channel channel, String host, int port, List<String> protocols, Deadline deadline)
          throws IOException {
        dialled = channel;
        asked.add(host + " " + port + " " + protocols);
        return outcome.of(channel, deadline);
      }

      @Override
      public void accept(
          Channel channel,
          List<String> protocols,
          long handshakeNanos,
          Consumer<SecureChannel> onReady,
          Consumer<IOException> onFailed) {
        throw new AssertionError("a client accepts nothing");
      }
    };
  }

  /** What a call to the server fails with. */
  private HttpException failure(Request.Builder request, Timeouts timeouts, Outcome outcome)
      throws Exception {
    Request built = request.build();
    Dialer dialer = new Dialer(
        network,
        (host, deadline) -> List.of(InetAddress.getLoopbackAddress()),
        tls(outcome),
        timeouts,
        Limits.DEFAULTS,
        List.of());
    Calls calls = calls(dialer, timeouts);
    Route route = new Route(built.origin(), built.version());
    return network.call(() -> {
      HttpException failure = assertThrows(
          HttpException.class,
          () -> calls.begin(built, route, Deadline.never(), null).call());
      assertEquals(Phase.TLS, failure.at().phase());
      assertEquals(Sent.NO, failure.at().sent());
      assertEquals(0, calls.pool().snapshot().open());
      return failure;
    });
  }

  private Calls calls(Dialer dialer, Timeouts timeouts) {
    CallOptions options = new CallOptions();
    options.timeouts = timeouts;
    return new Calls(
        dialer,
        connector -> new ConnectionPool(PoolLimits.DEFAULTS, connector, network.loop()),
        network.loop(),
        options,
        null);
  }

  private static Request.Builder get() throws IOException {
    return Request.builder("https://a.test/");
  }

  private static SecureChannel refused() throws IOException {
    throw new TlsHandshakeException(
        TlsException.Reason.EXPIRED, "TLS with a.test failed: it is expired", null);
  }

  @Test
  void refusalNamesItsReason() throws Exception {
    HttpException failure = failure(get(), Timeouts.DEFAULTS, (channel, deadline) -> refused());
    assertEquals(
        TlsException.Reason.EXPIRED,
        assertInstanceOf(TlsException.class, failure).reason());
    assertTrue(failure.getMessage().contains("it is expired: GET https://a.test:443"));
  }

  @Test
  void versionDecidesWhatIsOffered() throws Exception {
    failure(get(), Timeouts.DEFAULTS, (channel, deadline) -> refused());
    failure(
        get().version(HttpVersion.HTTP_1_1), Timeouts.DEFAULTS, (channel, deadline) -> refused());
    failure(get().version(HttpVersion.HTTP_2), Timeouts.DEFAULTS, (channel, deadline) -> refused());
    failure(
        Request.builder("https://[::1]:443/").version(HttpVersion.HTTP_1_1),
        Timeouts.DEFAULTS,
        (channel, deadline) -> refused());
    assertEquals(
        List.of(
            "a.test 443 [h2, http/1.1]",
            "a.test 443 [http/1.1]",
            "a.test 443 [h2]",
            "::1 443 [http/1.1]"),
        asked);
  }

  private SecureChannel waitFor(Channel channel, Deadline deadline) throws IOException {
    try {
      Waiting.until(() -> false, channel.loop(), deadline, "making a handshake");
      throw new AssertionError("never");
    } finally {
      channel.close();
    }
  }

  @Test
  void handshakeThatTakesTooLongNamesItsLimit() throws Exception {
    HttpException failure = failure(get(), Timeouts.DEFAULTS, this::waitFor);
    assertInstanceOf(ConnectFailedException.class, failure);
    assertTrue(failure.getMessage().contains("Timeouts.tls allows 5000 ms"), failure.getMessage());
    assertEquals(Duration.ofSeconds(5), failure.at().elapsed());
  }

  @Test
  void callsDeadlineHoldsInTheHandshake() throws Exception {
    HttpException failure =
        failure(get().deadline(Duration.ofSeconds(2)), Timeouts.DEFAULTS, this::waitFor);
    assertInstanceOf(DeadlineExceededException.class, failure);
    assertInstanceOf(DeadlinePassedException.class, failure.getCause());
    assertEquals(Duration.ofSeconds(2), failure.at().elapsed());
  }

  /** RFC 9113 §3.2: a server that knows no ALPN does not speak HTTP/2. */
  @Test
  void serverWithoutAlpnCannotSpeakTheHttp2ThatIsWanted() throws Exception {
    HttpException failure = failure(
        get().version(HttpVersion.HTTP_2),
        Timeouts.DEFAULTS,
        (channel, deadline) -> new Plain(channel));
    assertEquals(
        TlsException.Reason.NO_COMMON_PROTOCOL,
        assertInstanceOf(TlsException.class, failure).reason());
    assertTrue(failure.getMessage().contains("h2, which alone was offered"), failure.getMessage());
    assertFalse(dialled.isOpen());
  }

  @Test
  void anErrorAfterTheConnectionIsOpenClosesIt() throws Exception {
    Dialer dialer = new Dialer(
        network,
        (host, deadline) -> List.of(InetAddress.getLoopbackAddress()),
        tls((channel, deadline) -> {
          throw new OutOfMemoryError("injected");
        }),
        Timeouts.DEFAULTS,
        Limits.DEFAULTS,
        List.of());
    Calls calls = calls(dialer, Timeouts.DEFAULTS);
    Request request = get().build();
    Route route = new Route(request.origin(), null);
    network.run(() -> assertThrows(
        OutOfMemoryError.class,
        () -> calls.begin(request, route, Deadline.never(), null).call()));
    assertFalse(dialled.isOpen());
    assertEquals(0, calls.pool().snapshot().open());
  }

  /** Says that it is protected, by no protocol. */
  private record Plain(Channel channel) implements SecureChannel {
    @Override
    public @Nullable String applicationProtocol() {
      return null;
    }

    @Override
    public SSLSession session() {
      throw new AssertionError("nobody asks");
    }

    @Override
    public void start(ChannelListener listener) {
      channel.start(listener);
    }

    @Override
    public void write(ByteBuffer buffer, Deadline deadline) throws IOException {
      channel.write(buffer, deadline);
    }

    @Override
    public void write(ByteBuffer[] buffers, Deadline deadline) throws IOException {
      channel.write(buffers, deadline);
    }

    @Override
    public WriteProgress writeProgress() {
      return channel.writeProgress();
    }

    @Override
    public void pauseReading() {
      channel.pauseReading();
    }

    @Override
    public void resumeReading() {
      channel.resumeReading();
    }

    @Override
    public void shutdownOutput() {
      channel.shutdownOutput();
    }

    @Override
    public void close() {
      channel.close();
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public SocketAddress localAddress() {
      return channel.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() {
      return channel.remoteAddress();
    }

    @Override
    public EventLoop loop() {
      return channel.loop();
    }
  }
}
