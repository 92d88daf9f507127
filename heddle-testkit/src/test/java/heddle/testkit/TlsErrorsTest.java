package heddle.testkit;

import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Channel;
import heddle.transport.EventLoop;
import heddle.transport.SecureChannel;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An {@link Error} while a server makes a handshake or ends a connection costs that one alone. */
@Timeout(60)
class TlsErrorsTest {
  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  private final JsseTls tls =
      new JsseTls(TestCertificates.being(AUTHORITY.identity(HOST)).build());
  private final LinkedBlockingQueue<Optional<IOException>> failures = new LinkedBlockingQueue<>();
  private final Error error = new NoClassDefFoundError("of the test");

  /** The method of a server's channel, or of its loop, that fails, if any. */
  private volatile String failing = "";

  TlsErrorsTest() {
    world.server = null;
  }

  /** Accepts the next connection, over a channel that can fail. */
  private void accept(JsseTls server, Consumer<SecureChannel> onReady) throws Exception {
    Channel accepted = world.acceptedPlain();
    Channel channel = failing(Channel.class, accepted);
    long patience = Duration.ofSeconds(20).toNanos();
    accepted
        .loop()
        .execute(() -> server.accept(
            channel, List.of(), patience, onReady, why -> failures.add(Optional.ofNullable(why))));
  }

  /** Passes calls on, but for those of the method that fails. */
  private <T> T failing(Class<T> type, T target) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
          if (method.getName().equals(failing)) {
            throw error;
          }
          try {
            Object result = method.invoke(target, arguments);
            return result instanceof EventLoop loop ? failing(EventLoop.class, loop) : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }));
  }

  private void beginHandshake() {
    Thread.ofVirtual().start(() -> {
      try {
        world.connect();
      } catch (IOException e) {
        // The server breaks off, as it should.
        return;
      }
    });
  }

  private void assertFailedOnce() throws Exception {
    assertSame(error, failure().orElseThrow().getCause());
    awaitServerClosed();
    assertTrue(failures.isEmpty(), failures.toString());
  }

  private Optional<IOException> failure() throws InterruptedException {
    Optional<IOException> failure = failures.poll(20, TimeUnit.SECONDS);
    assertNotNull(failure, "no failure was reported");
    return failure;
  }

  private void awaitServerClosed() {
    SimConnection connection = ((SimNetwork) world.network).connections().getLast();
    while (connection.isServerOpen()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void errorOfTheProviderClosesTheChannel() throws Exception {
    world.connectPlain();
    TlsOptions broken = TlsOptions.builder().context(new BrokenContext()).build();
    accept(new JsseTls(broken), secure -> {});
    assertFailedOnce();
  }

  @Test
  void errorWhileTheChannelIsStartedClosesIt() throws Exception {
    world.connectPlain();
    failing = "start";
    accept(tls, secure -> {});
    assertFailedOnce();
  }

  @Test
  void errorInTheMiddleOfTheHandshakeClosesTheChannel() throws Exception {
    beginHandshake();
    failing = "write";
    accept(tls, secure -> {});
    assertFailedOnce();
  }

  @Test
  void errorWhileTheDoneHandshakeIsHandedOverClosesTheChannel() throws Exception {
    beginHandshake();
    failing = "execute";
    accept(tls, secure -> {});
    assertFailedOnce();
  }

  @Test
  void closeBeforeThePeerHasSentAnythingIsReported() throws Exception {
    world.connectPlain();
    accept(tls, secure -> {});
    ((SimNetwork) world.network).connections().getLast().reset();
    assertTrue(failure().isPresent());
    awaitServerClosed();
    assertEquals(List.of(), List.copyOf(failures));
  }

  @Test
  void errorBeforeTheProtectedChannelIsStartedClosesIt() throws Exception {
    beginHandshake();
    accept(tls, secure -> {
      throw error;
    });
    assertFailedOnce();
  }

  @Test
  void errorAfterTheProtectedChannelWasStartedIsHeardByItsListener() throws Exception {
    beginHandshake();
    RecordingListener listener = new RecordingListener();
    accept(tls, secure -> {
      secure.start(listener);
      throw error;
    });
    assertSame(error, listener.awaitClosed().orElseThrow().getCause());
    awaitServerClosed();
    assertEquals(List.of(), List.copyOf(failures));
  }

  @Test
  void errorWhileTheEndIsSaidClosesTheSocket() throws Exception {
    beginHandshake();
    RecordingListener listener = new RecordingListener();
    accept(tls, secure -> {
      secure.start(listener);
      failing = "write";
      secure.close();
    });
    assertTrue(listener.awaitClosed().isEmpty());
    awaitServerClosed();
  }

  /** Of a provider that lacks a class. */
  private final class BrokenContext extends SSLContext {
    BrokenContext() throws NoSuchAlgorithmException {
      this(SSLContext.getDefault());
    }

    private BrokenContext(SSLContext intact) {
      super(
          new SSLContextSpi() {
            @Override
            protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
              throw new KeyManagementException("it is ready");
            }

            @Override
            protected SSLSocketFactory engineGetSocketFactory() {
              return intact.getSocketFactory();
            }

            @Override
            protected SSLServerSocketFactory engineGetServerSocketFactory() {
              return intact.getServerSocketFactory();
            }

            @Override
            protected SSLEngine engineCreateSSLEngine() {
              throw error;
            }

            @Override
            protected SSLEngine engineCreateSSLEngine(String host, int port) {
              throw error;
            }

            @Override
            protected SSLSessionContext engineGetServerSessionContext() {
              return intact.getServerSessionContext();
            }

            @Override
            protected SSLSessionContext engineGetClientSessionContext() {
              return intact.getClientSessionContext();
            }

            @Override
            protected SSLParameters engineGetSupportedSSLParameters() {
              return intact.getSupportedSSLParameters();
            }
          },
          intact.getProvider(),
          intact.getProtocol());
    }
  }
}
