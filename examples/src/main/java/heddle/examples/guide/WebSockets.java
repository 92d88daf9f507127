package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.server.spi.ExchangeHandler;
import heddle.websocket.Compression;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import heddle.websocket.WebSocketHandler;
import java.io.IOException;
import java.time.Duration;

/** The code of docs/guide/websocket.md. */
final class WebSockets {
  private WebSockets() {}

  static void chat(HttpClient client, String url) throws IOException {
    // doc: chat
    try (WebSocket socket = WebSocket.open(client, url)) {
      socket.send("Hello");
      for (Message message : socket) {
        switch (message) {
          case Message.Text text -> System.out.println(text.text());
          case Message.Binary binary -> System.out.println(binary.bytes().length + " bytes");
        }
      }
    }
    // doc: end
  }

  static WebSocket configured(HttpClient client, String url) throws IOException {
    // doc: settings
    WebSocket socket = WebSocket.builder(client, url)
        .subprotocols("chat.v2", "chat.v1") // socket.subprotocol() says which one the server chose
        .compression(Compression.EACH_MESSAGE) // off by default
        .pingInterval(Duration.ofSeconds(30)) // none by default
        .maxMessageBytes(1 << 20) // 16 MiB by default
        .closeTimeout(Duration.ofSeconds(5)) // 10 s by default
        .open();
    // doc: end
    return socket;
  }

  static ExchangeHandler served() {
    // doc: served
    WebSocketHandler chat = WebSocketHandler.builder()
        .pingInterval(Duration.ofSeconds(30))
        .build((socket, exchange) -> {
          for (Message message : socket) {
            if (message instanceof Message.Text text) {
              socket.send("You said: " + text.text());
            }
          }
        });
    // doc: end
    return chat;
  }
}
