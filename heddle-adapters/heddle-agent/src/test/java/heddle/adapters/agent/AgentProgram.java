package heddle.adapters.agent;

import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** A program that knows nothing of Heddle. It prints what it gets from the JDK's HttpClient. */
public final class AgentProgram {
  private AgentProgram() {}

  /** Loaded by a separate class loader. */
  public static final class Elsewhere implements Supplier<HttpClient> {
    @Override
    public HttpClient get() {
      return HttpClient.newHttpClient();
    }
  }

  /** Separate, because the main class is also loaded where the JDK's client is missing. */
  private static final class WebSockets implements WebSocket.Listener {
    /** The status with which a server that knows no WebSockets answers. */
    static int refusal(URI url) throws InterruptedException {
      URI uri = URI.create("ws" + url.toString().substring("http".length()));
      try (HttpClient client = HttpClient.newHttpClient()) {
        client.newWebSocketBuilder().buildAsync(uri, new WebSockets()).get();
        return 101;
      } catch (ExecutionException e) {
        return ((WebSocketHandshakeException) e.getCause()).getResponse().statusCode();
      }
    }
  }

  /** If requested, waits for a line of its input before the second half. */
  public static void main(String[] args) throws Exception {
    if (args.length > 1 && args[1].equals("version")) {
      System.out.println("runs");
      return;
    }
    print("first", HttpClient.newHttpClient());
    if (args.length > 1) {
      new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
    }
    print("newHttpClient", HttpClient.newHttpClient());
    print("newBuilder", HttpClient.newBuilder().build());
    Supplier<HttpClient> reference = HttpClient::newHttpClient;
    print("reference", reference.get());
    print("reflection", HttpClient.class.getMethod("newHttpClient").invoke(null));
    URL classes = Path.of(System.getProperty("java.class.path")).toUri().toURL();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Object elsewhere =
          loader.loadClass(Elsewhere.class.getName()).getConstructor().newInstance();
      print("elsewhere", ((Supplier<?>) elsewhere).get());
    }
    // Annotations are proxies, in modules that the JDK makes at run time.
    System.out.println(
        "annotated " + Supplier.class.isAnnotationPresent(FunctionalInterface.class));
    print("webSocket", HttpClient.newHttpClient().newWebSocketBuilder());
    System.out.println("refused " + WebSockets.refusal(URI.create(args[0])));
    print("url", URI.create(args[0]).toURL().openConnection());
    HttpRequest request = HttpRequest.newBuilder(URI.create(args[0])).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      System.out.println(
          "answer " + client.send(request, BodyHandlers.ofString()).body());
    }
    try (InputStream in = URI.create(args[0]).toURL().openStream()) {
      System.out.println("answer " + new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static void print(String how, Object got) {
    System.out.println(how + " " + got.getClass().getName());
  }
}
