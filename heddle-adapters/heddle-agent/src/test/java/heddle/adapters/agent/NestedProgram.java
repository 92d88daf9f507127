package heddle.adapters.agent;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A program that is loaded by the class loader of a fat jar. */
public final class NestedProgram {
  private NestedProgram() {}

  /** Makes one request with each of the JDK's clients. */
  public static void main(String[] args) throws Exception {
    System.out.println(
        "loader " + NestedProgram.class.getClassLoader().getClass().getSimpleName());
    URI url = URI.create(args[0]);
    try (HttpClient client = HttpClient.newHttpClient()) {
      System.out.println("client " + client.getClass().getName());
      HttpRequest request = HttpRequest.newBuilder(url).build();
      System.out.println(
          "answer " + client.send(request, BodyHandlers.ofString()).body());
    }
    System.out.println("url " + url.toURL().openConnection().getClass().getName());
    try (InputStream in = url.toURL().openStream()) {
      System.out.println("answer " + new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
