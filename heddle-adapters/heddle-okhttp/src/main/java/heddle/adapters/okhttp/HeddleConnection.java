package heddle.adapters.okhttp;

import heddle.client.spi.ConnectionInfo;
import heddle.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSession;
import okhttp3.CipherSuite;
import okhttp3.Connection;
import okhttp3.Handshake;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/** An OkHttp connection that stands for one of Heddle's. Thread-safe. */
final class HeddleConnection implements Connection {
  /** Connections that are still referenced. */
  private static final Map<Key, Known> KNOWN = new ConcurrentHashMap<>();

  private static final ReferenceQueue<HeddleConnection> FORGOTTEN = new ReferenceQueue<>();

  /** A connection to a server. One to a proxy carries requests to many servers. */
  private record Key(long id, String host, int port) {}

  /** A weak reference: unreferenced connections are removed. */
  private static final class Known extends WeakReference<HeddleConnection> {
    private final Key key;

    Known(HeddleConnection connection, Key key) {
      super(connection, FORGOTTEN);
      this.key = key;
    }
  }

  private final OkHttpClient client;
  private final HttpUrl url;

  /** The protocol to report until it is known. */
  private final Protocol assumed;

  private volatile Way way;
  private volatile @Nullable ConnectionInfo info;

  HeddleConnection(OkHttpClient client, HttpUrl url) {
    this.client = client;
    this.url = url;
    this.assumed = client.protocols().contains(Protocol.H2_PRIOR_KNOWLEDGE)
        ? Protocol.H2_PRIOR_KNOWLEDGE
        : Protocol.HTTP_1_1;
    this.way = Way.direct(url);
  }

  void goes(Way next) {
    way = next;
  }

  void is(ConnectionInfo known) {
    info = known;
  }

  /** Returns the shared object for all calls to one server over the same connection. */
  HeddleConnection known() {
    ConnectionInfo carrying = info;
    if (carrying == null) {
      return this;
    }
    while (FORGOTTEN.poll() instanceof Known gone) {
      KNOWN.remove(gone.key, gone);
    }
    Key key = new Key(carrying.id(), url.host(), url.port());
    Known earlier = KNOWN.get(key);
    HeddleConnection known = earlier == null ? null : earlier.get();
    if (known != null) {
      return known;
    }
    HeddleConnection made = new HeddleConnection(client, url);
    made.way = way;
    made.info = carrying;
    Known same = KNOWN.compute(
        key, (id, now) -> now == null || now.get() == null ? new Known(made, id) : now);
    HeddleConnection shared = same.get();
    return shared == null ? made : shared;
  }

  @Override
  public Route route() {
    return new Route(client.address(url), way.proxy(), address());
  }

  /** The remote address; unresolved until it is known. */
  InetSocketAddress address() {
    ConnectionInfo known = info;
    SocketAddress leadsTo = known == null ? null : known.remoteAddress();
    return leadsTo instanceof InetSocketAddress address
        ? named(address)
        : way.address(url, null, 0);
  }

  /** The address with the name that was looked up, without another lookup. */
  InetSocketAddress named(InetSocketAddress address) {
    InetAddress bare = address.getAddress();
    return bare == null ? address : named(bare, address.getPort());
  }

  InetSocketAddress named(InetAddress address, int port) {
    return way.address(url, address, port);
  }

  /** Returns a socket that only has addresses, as the real one belongs to Heddle. */
  @Override
  public Socket socket() {
    return new DistantSocket(address());
  }

  @Override
  public @Nullable Handshake handshake() {
    ConnectionInfo known = info;
    SSLSession session = known == null ? null : known.tlsSession();
    return session == null ? null : handshake(session);
  }

  /** Made once per session, and stored in it. */
  private static Handshake handshake(SSLSession session) {
    String name = HeddleConnection.class.getName();
    if (session.getValue(name) instanceof Handshake made) {
      return made;
    }
    Handshake handshake = read(session);
    session.putValue(name, handshake);
    return handshake;
  }

  private static Handshake read(SSLSession session) {
    try {
      return Handshake.get(session);
    } catch (IOException e) {
      throw new IllegalStateException(
          "the TLS session cannot be described: " + session.getCipherSuite(), e);
    }
  }

  @Override
  public Protocol protocol() {
    ConnectionInfo known = info;
    return known == null ? assumed : protocol(known.version());
  }

  /** OkHttp's protocol for the version of a response. */
  Protocol protocol(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> Protocol.HTTP_1_0;
      case HTTP_1_1 -> Protocol.HTTP_1_1;
      case HTTP_2 ->
        assumed == Protocol.H2_PRIOR_KNOWLEDGE ? Protocol.H2_PRIOR_KNOWLEDGE : Protocol.HTTP_2;
    };
  }

  @Override
  public String toString() {
    Handshake handshake = handshake();
    CipherSuite suite = handshake == null ? null : handshake.cipherSuite();
    return "Connection{%s:%d, proxy=%s hostAddress=%s cipherSuite=%s protocol=%s}"
        .formatted(
            url.host(),
            url.port(),
            way.proxy(),
            address(),
            suite == null ? "none" : suite,
            protocol());
  }

  /**
   * The result of {@link okhttp3.Connection#socket}, which only has the peer's address. Callers
   * cannot read, write or close Heddle's channel.
   */
  private static final class DistantSocket extends Socket {
    private final InetSocketAddress address;

    DistantSocket(InetSocketAddress address) {
      this.address = address;
    }

    @Override
    public boolean isConnected() {
      return !address.isUnresolved();
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
      return address.getAddress();
    }

    @Override
    public int getPort() {
      return address.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
      return address;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      throw notOurs();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      throw notOurs();
    }

    private static SocketException notOurs() {
      return new SocketException(
          "the connection is Heddle's; callers cannot read, write or close it");
    }

    @Override
    public String toString() {
      return "Socket[address=" + address + ", over Heddle]";
    }
  }
}
