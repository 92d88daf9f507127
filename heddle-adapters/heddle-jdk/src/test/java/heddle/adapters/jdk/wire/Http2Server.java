package heddle.adapters.jdk.wire;

import heddle.adapters.jdk.HeddleHttpClient;
import heddle.codec.http2.frame.Frame;
import heddle.testkit.Http2Peer;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A server that accepts the offer of h2c and handles each request as a test says. */
final class Http2Server implements AutoCloseable {
  private static final String SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";

  private final ScriptedPeer peer;
  private final HttpClient client =
      HeddleHttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

  /** What becomes of a request without content. */
  @FunctionalInterface
  interface Handler {
    void handle(Http2Peer h2, int stream) throws IOException;
  }

  Http2Server(Handler handler) throws IOException {
    ScriptedPeer.Script script = Http2Peer.server(h2 -> serve(h2, handler));
    peer = ScriptedPeer.each(TcpNetwork.shared(), script);
  }

  private static void serve(Http2Peer h2, Handler handler) throws IOException {
    h2.connection().expectHead();
    h2.connection().send(SWITCHING);
    h2.handshake();
    handler.handle(h2, 1);
    for (Frame frame = h2.nextFrame(); frame != null; frame = h2.nextFrame()) {
      if (frame instanceof Frame.Headers head) {
        h2.readHead(head);
        handler.handle(h2, head.streamId());
      }
    }
  }

  /** The result of a GET over Heddle. */
  HttpResponse<String> get() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/"))).build();
    return client.send(request, BodyHandlers.ofString());
  }

  /** The result of a POST without content over Heddle. */
  HttpResponse<String> post() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/")))
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
    peer.close();
  }
}
