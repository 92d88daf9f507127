package heddle.client.interim;

import heddle.client.ClientWorld;
import heddle.client.HttpClient;
import heddle.client.coalescing.TestAuthority;
import heddle.http.HttpVersion;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import heddle.testkit.TlsNetwork;
import heddle.transport.Network;
import heddle.transport.tls.TlsOptions;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** The ways to a server: both versions of HTTP, in cleartext and over TLS, in virtual time. */
enum Wire {
  HTTP_1_1("http"),
  HTTP_2("http"),
  HTTP_1_1_OVER_TLS("https"),
  HTTP_2_OVER_TLS("https");

  private static final TestAuthority AUTHORITY = new TestAuthority();
  private static final TlsOptions SERVER =
      AUTHORITY.identify(TlsOptions.builder(), "localhost").build();

  /** What a test does with a server. */
  @FunctionalInterface
  interface Visit {
    /** Visits the server of this URL, which has no path. */
    void to(String url) throws Exception;
  }

  private final String scheme;

  Wire(String scheme) {
    this.scheme = scheme;
  }

  boolean isHttp2() {
    return this == HTTP_2 || this == HTTP_2_OVER_TLS;
  }

  ClientWorld world() {
    return world(UnaryOperator.identity());
  }

  /** A world whose client speaks this way, and is made with more than the defaults. */
  ClientWorld world(UnaryOperator<HttpClient.Builder> settings) {
    HttpVersion version = isHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
    TlsOptions trusting = AUTHORITY.trusting().build();
    return new ClientWorld(builder -> settings.apply(builder.version(version).tls(trusting)));
  }

  /** The next connections of the server that is visited then go as these talks do, in order. */
  void serve(ClientWorld world, Server.Talk... talks) {
    Arrays.stream(talks).map(this::script).forEach(world::serve);
  }

  /** Runs a visit to a server that serves these talks too, each on a connection. */
  void visit(ClientWorld world, Visit visit, Server.Talk... talks) throws Exception {
    serve(world, talks);
    world.visit(listening(world.network), peer -> visit.to(scheme + "://localhost:" + peer.port()));
  }

  private Network listening(SimNetwork network) {
    return scheme.equals("http")
        ? network
        : TlsNetwork.over(network, SERVER, isHttp2() ? "h2" : "http/1.1");
  }

  private ScriptedPeer.Script script(Server.Talk talk) {
    return isHttp2()
        ? Http2Peer.server(peer -> {
          peer.handshake();
          talk.by(new Http2Server(peer));
        })
        : connection -> talk.by(new Http1Server(connection));
  }
}
