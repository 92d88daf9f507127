package heddle.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Connection;
import heddle.connection.http2.Http2Connection;
import heddle.connection.negotiate.ServerNegotiator;
import heddle.http.Limits;
import heddle.testkit.ManualChannel;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a connection when there is no memory to load another class. */
class ClosingWithoutNewClassesTest {
  /** Loads a separate copy of the engine; once full, fails to load more of it. */
  private static final class Loader extends ClassLoader {
    private boolean full;

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && name.startsWith("heddle.")) {
          loaded = define(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      if (full) {
        throw new OutOfMemoryError("injected: no memory to load " + name);
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** A connection whose owner counts the notifications that it has closed. */
  private abstract static class Closing implements IntSupplier {
    final AtomicInteger notifications = new AtomicInteger();
    final ManualChannel channel = new ManualChannel(buffers -> {});

    /** Breaks the channel and returns the number of notifications. */
    @Override
    public int getAsInt() {
      try {
        channel.breakBy(null);
      } catch (OutOfMemoryError e) {
        // The rest of the cleanup may fail.
      }
      return notifications.get();
    }
  }

  /** A server's connection. */
  private abstract static class Server extends Closing {
    Server(String input) {
      OneOwner owner = new OneOwner(channel) {
        @Override
        public void onClosed(ServerConnection connection) {
          notifications.incrementAndGet();
        }
      };
      new ServerNegotiator(
              ServerVersions.DEFAULTS, ServerLimits.DEFAULTS, owner.resources().budget(), owner)
          .accept(channel, null)
          .start();
      channel.bring(input.getBytes(ISO_8859_1));
    }
  }

  static final class ServerWithoutAProtocol extends Server {
    ServerWithoutAProtocol() {
      super("");
    }
  }

  static final class Http1ServerInAHead extends Server {
    Http1ServerInAHead() {
      super("GET / HTTP/1.1\r\nHost:");
    }
  }

  static final class Http1ServerInABody extends Server {
    Http1ServerInABody() {
      super("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nsome");
    }
  }

  static final class Http1ServerAtWork extends Server {
    Http1ServerAtWork() {
      super("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    }
  }

  static final class Http2Server extends Server {
    Http2Server() {
      super("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
    }
  }

  /** A client's connection. */
  private abstract static class Client extends Closing implements ConnectionListener {
    @Override
    public void closed() {
      notifications.incrementAndGet();
    }

    @Override
    public void capacityChanged() {}
  }

  static final class Http1Client extends Client {
    Http1Client() {
      Http1Connection.start(channel, Limits.DEFAULTS, new HeadParsers(), false, this);
    }
  }

  static final class Http2Client extends Client {
    Http2Client() {
      Http2Connection.start(channel, Limits.DEFAULTS, Duration.ofSeconds(10), this);
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ServerWithoutAProtocol.class,
        Http1ServerInAHead.class,
        Http1ServerInABody.class,
        Http1ServerAtWork.class,
        Http2Server.class,
        Http1Client.class,
        Http2Client.class
      })
  void ownerIsNotified(Class<? extends Closing> connection) throws Exception {
    Loader loader = new Loader();
    Constructor<?> made = loader.loadClass(connection.getName()).getDeclaredConstructor();
    made.setAccessible(true);
    IntSupplier closing = (IntSupplier) made.newInstance();
    loader.full = true;
    assertEquals(1, closing.getAsInt());
  }
}
