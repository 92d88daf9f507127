package heddle.adapters.agent;

import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
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
