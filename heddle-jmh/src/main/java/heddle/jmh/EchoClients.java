package heddle.jmh;

import heddle.client.HttpClient;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocketListener;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.client.WebSocketClient;
import org.jspecify.annotations.Nullable;

/** Clients whose sockets send a message again as soon as it has come back. */
final class EchoClients {
  private EchoClients() {}

  /** Opens the sockets of a client, each with a message on its way; counts what comes back. */
  static void start(String client, String url, LongAdder echoed) throws Exception {
    switch (client) {
      case "heddle" -> heddle(url, echoed);
      case "okhttp" -> okhttp(url, echoed);
      case "jetty" -> jetty(url, echoed);
      case "jdk" -> jdk(url, echoed);
      default -> throw new IllegalArgumentException("no client " + client);
    }
  }

  private static void heddle(String url, LongAdder echoed) throws IOException {
    HttpClient client = HttpClient.create();
    for (int i = 0; i < WebSocketEcho.SOCKETS; i++) {
      WebSocket socket = WebSocket.open(client, url);
      Thread.ofVirtual().start(() -> {
        try {
          socket.send(WebSocketEcho.MESSAGE);
          for (Message message : socket) {
            echoed.increment();
            socket.send(((Message.Text) message).text());
          }
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
    }
  }

  private static void okhttp(String url, LongAdder echoed) {
    OkHttpClient client = new OkHttpClient();
    Request request = new Request.Builder().url(url).build();
    for (int i = 0; i < WebSocketEcho.SOCKETS; i++) {
      okhttp3.WebSocket _ = client.newWebSocket(request, new WebSocketListener() {
        @Override
        public void onOpen(okhttp3.WebSocket socket, Response response) {
          boolean _ = socket.send(WebSocketEcho.MESSAGE);
        }

        @Override
        public void onMessage(okhttp3.WebSocket socket, String text) {
          echoed.increment();
          boolean _ = socket.send(text);
        }

        @Override
        public void onFailure(
            okhttp3.WebSocket socket, Throwable failure, @Nullable Response response) {
          failure.printStackTrace();
        }
      });
    }
  }

  private static void jetty(String url, LongAdder echoed) throws Exception {
    WebSocketClient client = new WebSocketClient();
    client.start();
    for (int i = 0; i < WebSocketEcho.SOCKETS; i++) {
      Session _ = client.connect(new JettyEcho(echoed), URI.create(url)).get();
    }
  }

  /** Public, as Jetty calls it. */
  public static final class JettyEcho implements Session.Listener.AutoDemanding {
    private final LongAdder echoed;
    private @Nullable Session session;

    JettyEcho(LongAdder echoed) {
      this.echoed = echoed;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
      session = opened;
      opened.sendText(WebSocketEcho.MESSAGE, Callback.NOOP);
    }

    @Override
    public void onWebSocketText(String text) {
      echoed.increment();
      if (session != null) {
        session.sendText(text, Callback.NOOP);
      }
    }
  }

  private static void jdk(String url, LongAdder echoed) throws Exception {
    java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient();
    for (int i = 0; i < WebSocketEcho.SOCKETS; i++) {
      java.net.http.WebSocket socket = client
          .newWebSocketBuilder()
          .buildAsync(URI.create(url), new java.net.http.WebSocket.Listener() {
            private final StringBuilder parts = new StringBuilder();

            @Override
            public @Nullable CompletionStage<?> onText(
                java.net.http.WebSocket from, CharSequence text, boolean last) {
              from.request(1);
              parts.append(text);
              if (!last) {
                return null;
              }
              echoed.increment();
              String whole = parts.toString();
              parts.setLength(0);
              return from.sendText(whole, true);
            }
          })
          .get();
      java.net.http.WebSocket _ = socket.sendText(WebSocketEcho.MESSAGE, true).get();
    }
  }
}
