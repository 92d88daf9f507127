package heddle.bench.client;

import heddle.http.Body;
import heddle.http.Method;
import heddle.http.Request;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of requests in a text file of UTF-8, to be sent one after the other.
 *
 * <pre>{@code
 * # A request begins with its method and its URL, or a path on the URL of the load.
 * GET /hello
 *
 * POST http://127.0.0.1:8080/orders
 * Content-Type: application/json
 * = {"item": 7}
 *
 * PUT /picture
 * @picture.png
 * }</pre>
 *
 * <p>Fields follow, one per line, then the content: lines that begin with {@code =} hold it as
 * text, each but the last followed by a line feed; {@code @} names a file, from the folder of the
 * list. An empty line ends the request. Lines that begin with {@code #} are skipped.
 */
public final class RequestList {

  private final Path file;
  private final @Nullable URI base;
  private final List<Request> requests = new ArrayList<>();
  private Request.@Nullable Builder open;
  private @Nullable StringBuilder text;
  private boolean hasContent;

  private RequestList(Path file, @Nullable URI base) {
    this.file = file;
    this.base = base;
  }

  /**
   * Reads the list.
   *
   * @param base what paths are resolved against; null if each request has a whole URL
   * @throws IOException if the file, or one that it names, cannot be read
   * @throws IllegalArgumentException if the list breaks the format; the message begins with the
   *     file and the line and says what is allowed
   */
  public static List<Request> read(Path file, @Nullable URI base) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (MalformedInputException e) {
      throw new IOException(file + " is not text in UTF-8", e);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new IOException("cannot read the requests of " + file + ": " + e.getMessage(), e);
    }
    var list = new RequestList(file, base);
    for (int i = 0; i < lines.size(); i++) {
      try {
        list.take(lines.get(i));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(file + ":" + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    list.end();
    if (list.requests.isEmpty()) {
      throw new IllegalArgumentException(
          file + ":1: no request: write lines such as GET http://127.0.0.1:8080/hello");
    }
    return List.copyOf(list.requests);
  }

  private void take(String line) throws IOException {
    if (line.startsWith("#")) {
      return;
    }
    if (line.isBlank()) {
      end();
    } else if (open == null) {
      begin(line.strip());
    } else if (line.startsWith("=") || line.startsWith("@")) {
      content(open, line);
    } else {
      field(open, line);
    }
  }

  private void begin(String line) {
    String[] words = line.split("\\s+", -1);
    if (words.length != 2) {
      throw new IllegalArgumentException(
          "a request begins with its method and its URL, such as GET /hello, not: " + line);
    }
    Method method = Method.of(words[0]);
    open = Request.builder(url(words[1])).method(method);
    text = null;
    hasContent = false;
  }

  private URI url(String word) {
    URI url;
    try {
      url = new URI(word);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + e.getMessage(), e);
    }
    if (base != null) {
      url = base.resolve(url);
    }
    if (url.getHost() == null) {
      throw new IllegalArgumentException(
          word + " is a path, and no URL was given that it could be on");
    }
    return url;
  }

  private void field(Request.Builder request, String line) {
    int colon = line.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("after the URL come fields (Name: value), content (= text"
          + " or @file) or an empty line, not: " + line);
    }
    if (hasContent) {
      throw new IllegalArgumentException("fields come before the content, not after it: " + line);
    }
    request.header(line.substring(0, colon), line.substring(colon + 1).strip());
  }

  private void content(Request.Builder request, String line) throws IOException {
    String rest = line.substring(1);
    if (line.startsWith("@")) {
      if (hasContent) {
        throw new IllegalArgumentException("a request has one content, not a second: " + line);
      }
      request.body(Body.of(fileContent(rest.strip())));
    } else {
      StringBuilder sofar = text;
      if (sofar == null && hasContent) {
        throw new IllegalArgumentException("a request has one content, not a second: " + line);
      }
      String added = rest.startsWith(" ") ? rest.substring(1) : rest;
      sofar = sofar == null ? new StringBuilder(added) : sofar.append('\n').append(added);
      text = sofar;
      request.body(Body.of(sofar.toString().getBytes(StandardCharsets.UTF_8)));
    }
    hasContent = true;
  }

  private byte[] fileContent(String name) throws IOException {
    Path content = file.resolveSibling(name);
    if (!Files.isRegularFile(content)) {
      throw new IllegalArgumentException("there is no file " + content);
    }
    return Files.readAllBytes(content);
  }

  private void end() {
    if (open != null) {
      requests.add(open.build());
      open = null;
    }
  }
}
