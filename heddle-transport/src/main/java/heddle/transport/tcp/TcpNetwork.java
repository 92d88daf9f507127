package heddle.transport.tcp;

import heddle.transport.Channel;
import heddle.transport.Descriptors;
import heddle.transport.EventLoop;
import heddle.transport.ForwardingNetwork;
import heddle.transport.Network;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * TCP, or a Unix domain socket, over {@code java.nio}. Each loop is one daemon platform thread;
 * channels are given to the loops in turn and stay with theirs.
 */
public final class TcpNetwork implements Network {
  private static final long JOIN_MILLIS = 2_000;
  private static final int MAX_LOOPS = 64;
  private static final int MAX_KEEP_ALIVE_SECONDS = 32_767;
  private static final AtomicInteger NETWORKS = new AtomicInteger();

  private final List<SelectorLoop> loops;
  private final Map<SocketOption<?>, Object> options;
  private final @Nullable InetAddress local;
  private final @Nullable UnixDomainSocketAddress unixSocket;
  private final @Nullable ServerSocketChannel bound;
  private final AtomicInteger nextLoop = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A shutdown hook until the network is closed. */
  final Thread atExit;

  /** A network of loops that are not started yet. */
  TcpNetwork(List<SelectorLoop> loops, Builder settings) {
    Descriptors.prepare();
    this.loops = loops;
    this.options = Map.copyOf(settings.options);
    this.local = settings.local;
    this.unixSocket = settings.unixSocket;
    this.bound = settings.bound;
    loops.forEach(SelectorLoop::start);
    atExit = new Thread(() -> loops.forEach(SelectorLoop::jvmEnds), "heddle-exit");
    try {
      Runtime.getRuntime().addShutdownHook(atExit);
    } catch (IllegalStateException e) {
      loops.forEach(SelectorLoop::jvmEnds); // It is ending already.
    }
  }

  /** A network with one loop, which serves tens of thousands of channels. */
  public static TcpNetwork create() {
    return builder().build();
  }

  /**
   * A share of one network that all callers of this method use, so that many clients cost one
   * thread. Its loop ends when the last share is closed; closing a share closes no channels.
   */
  public static Network shared() {
    Share.LOCK.lock();
    try {
      TcpNetwork present = Share.common;
      if (present == null) {
        present = create();
        Share.common = present;
      }
      Share.users++;
      return new Share(present);
    } finally {
      Share.LOCK.unlock();
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What a network is made with. Not safe for use by several threads. */
  public static final class Builder {
    private final Map<SocketOption<?>, Object> options = new HashMap<>();
    private int loops = 1;
    private @Nullable InetAddress local;
    private @Nullable UnixDomainSocketAddress unixSocket;
    private @Nullable ServerSocketChannel bound;

    private Builder() {}

    /** How many loops, each with one thread: 1 to 64, by default 1. More than cores hurt. */
    public Builder loops(int count) {
      if (count < 1 || count > MAX_LOOPS) {
        throw new IllegalArgumentException("loops must be 1 to " + MAX_LOOPS + ", not " + count);
      }
      loops = count;
      return this;
    }

    /**
     * Whether the system probes connections on which nothing is sent (SO_KEEPALIVE), which devices
     * on the way may need; it does not by default. When and how often is a setting of the system.
     */
    public Builder keepAlive(boolean whether) {
      options.put(StandardSocketOptions.SO_KEEPALIVE, whether);
      return this;
    }

    /**
     * Has the system probe idle connections, at these times instead of its defaults.
     *
     * @param idle how long a connection is silent before the first probe (TCP_KEEPIDLE)
     * @param interval how long a probe waits for an answer before the next one (TCP_KEEPINTERVAL)
     * @throws IllegalArgumentException if one is not from 1 to 32,767 s; fractions of a second are
     *     ignored
     * @throws UnsupportedOperationException if the platform does not have the option, which the
     *     message names
     */
    public Builder keepAlive(Duration idle, Duration interval) {
      put(ExtendedSocketOptions.TCP_KEEPIDLE, "idle", idle);
      put(ExtendedSocketOptions.TCP_KEEPINTERVAL, "interval", interval);
      return keepAlive(true);
    }

    private void put(SocketOption<Integer> option, String name, Duration value) {
      long seconds = value.toSeconds();
      if (seconds < 1 || seconds > MAX_KEEP_ALIVE_SECONDS) {
        throw new IllegalArgumentException(
            name + " must be 1 to " + MAX_KEEP_ALIVE_SECONDS + " s, but was " + value);
      }
      try (SocketChannel any = SocketChannel.open()) {
        if (!any.supportedOptions().contains(option)) {
          throw new UnsupportedOperationException("this platform has no " + option.name());
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot open a socket; " + Descriptors.advice(), e);
      }
      options.put(option, (int) seconds);
    }

    /**
     * Fixes the sizes of the system's buffers for each connection (SO_SNDBUF, SO_RCVBUF), which it
     * otherwise adapts to the path. The system may round them.
     *
     * @param send in bytes; 0 for the system's choice
     * @param receive the same
     * @throws IllegalArgumentException if one is negative
     */
    public Builder socketBuffers(int send, int receive) {
      putSize(StandardSocketOptions.SO_SNDBUF, "send", send);
      putSize(StandardSocketOptions.SO_RCVBUF, "receive", receive);
      return this;
    }

    private void putSize(SocketOption<Integer> option, String name, int bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException(name + " must be at least 0 bytes, but was " + bytes);
      }
      if (bytes == 0) {
        options.remove(option);
      } else {
        options.put(option, bytes);
      }
    }

    /**
     * The address of this machine that connections are opened from; by default the system chooses.
     * If it is not one of the machine's, or cannot reach a peer, connecting fails.
     */
    public Builder localAddress(InetAddress address) {
      local = address;
      return this;
    }

    /**
     * Connects to this Unix domain socket, whatever the address; by default to the address. Options
     * that such sockets do not have, and a local address, are ignored.
     */
    public Builder unixSocket(Path path) {
      unixSocket = UnixDomainSocketAddress.of(path);
      return this;
    }

    /**
     * A socket that is bound already: the network listens on it, and ignores the address that it is
     * asked to listen at. For one listener, which closes the socket when it is closed. By default
     * each listener opens and binds a socket.
     */
    public Builder boundSocket(ServerSocketChannel socket) {
      bound = socket;
      return this;
    }

    /**
     * Opens the selectors and starts the loops.
     *
     * @throws UncheckedIOException when the process may open no more descriptors
     */
    public TcpNetwork build() {
      String name = "heddle-loop-" + NETWORKS.incrementAndGet() + "-";
      List<SelectorLoop> made = new ArrayList<>(loops);
      try {
        for (int i = 0; i < loops; i++) {
          made.add(new SelectorLoop(name + i));
        }
      } catch (IOException e) {
        made.forEach(SelectorLoop::close);
        throw new UncheckedIOException("cannot open a selector; " + Descriptors.advice(), e);
      }
      return new TcpNetwork(made, this);
    }
  }

  @Override
  public Channel connect(SocketAddress address, Deadline deadline) throws IOException {
    checkOpen();
    if (unixSocket == null) {
      return connected(channel(SocketChannel.open(), local), address, deadline);
    }
    try {
      SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
      return connected(channel(socket, null), unixSocket, deadline);
    } catch (SocketException e) {
      throw new SocketException(unixSocket + ": " + e.getMessage(), e);
    }
  }

  private static Channel connected(TcpChannel channel, SocketAddress address, Deadline deadline)
      throws IOException {
    try {
      channel.connect(address, deadline);
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private ServerSocketChannel open(SocketAddress address) throws IOException {
    if (bound != null) {
      return bound;
    }
    return address instanceof UnixDomainSocketAddress
        ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        : ServerSocketChannel.open();
  }

  @Override
  public Listening listen(SocketAddress address, int backlog, Consumer<Channel> onAccept)
      throws IOException {
    checkOpen();
    UnixSocketFile file = null;
    ServerSocketChannel socket = open(address);
    try {
      socket.configureBlocking(false);
      if (bound == null && address instanceof UnixDomainSocketAddress path) {
        file = UnixSocketFile.bind(socket, path, backlog);
      } else if (bound == null) {
        bind(socket, address, backlog);
      }
      TcpListening listening = new TcpListening(this, socket, file, onAccept);
      listening.start();
      return listening;
    } catch (IOException | RuntimeException | Error e) {
      if (file != null) {
        file.delete();
      }
      socket.close();
      throw e;
    }
  }

  /** The system's error does not name the address. */
  private static void bind(ServerSocketChannel socket, SocketAddress address, int backlog)
      throws IOException {
    try {
      socket.bind(address, backlog);
    } catch (BindException e) {
      BindException named = new BindException(e.getMessage() + ": " + address);
      named.initCause(e);
      throw named;
    }
  }

  /** A channel on an open socket, bound to an address if one is given; closes it on failure. */
  TcpChannel channel(SocketChannel socket, @Nullable InetAddress from) throws IOException {
    try {
      if (from != null) {
        socket.bind(new InetSocketAddress(from, 0));
      }
      socket.configureBlocking(false);
      setOption(socket, StandardSocketOptions.TCP_NODELAY, true);
      for (Map.Entry<SocketOption<?>, Object> each : options.entrySet()) {
        setOption(socket, each.getKey(), each.getValue());
      }
      SelectorLoop loop = takeLoop();
      TcpChannel channel = new TcpChannel(loop, socket);
      loop.adopt(channel);
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  private static <T> void setOption(SocketChannel socket, SocketOption<T> option, Object value)
      throws IOException {
    if (socket.supportedOptions().contains(option)) { // A Unix domain socket has few.
      socket.setOption(option, option.type().cast(value));
    }
  }

  SelectorLoop takeLoop() {
    return loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
  }

  private void checkOpen() throws IOException {
    if (closed.get()) {
      throw new IOException("the network is closed");
    }
  }

  @Override
  public EventLoop loop() {
    return takeLoop();
  }

  @Override
  public Clock clock() {
    return Clock.system();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    loops.forEach(SelectorLoop::close);
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook has run.
    }
    try {
      for (SelectorLoop loop : loops) {
        loop.join(JOIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * One user's share of the network that all users of this process have in common: its loop starts
   * with the first user and ends when the last has closed its share.
   */
  private static final class Share implements ForwardingNetwork {
    private static final ReentrantLock LOCK = new ReentrantLock();

    // Guarded by LOCK.
    private static @Nullable TcpNetwork common;
    private static int users;
    private boolean closed;

    private final TcpNetwork network;

    private Share(TcpNetwork network) {
      this.network = network;
    }

    @Override
    public Network target() {
      return network;
    }

    /** Gives this share up; the user closes its own channels before. */
    @Override
    public void close() {
      LOCK.lock();
      try {
        if (closed) {
          return;
        }
        closed = true;
        users--;
        if (users > 0) {
          return;
        }
        common = null;
      } finally {
        LOCK.unlock();
      }
      network.close();
    }
  }
}
