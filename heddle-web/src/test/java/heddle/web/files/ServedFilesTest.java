package heddle.web.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.client.HttpClient;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files through a server, over both versions. */
@Timeout(60)
class ServedFilesTest {
  private static final int LARGE = 3_000_000;

  private final byte[] content = new byte[LARGE];
  private HttpServer server;
  private HttpClient client;

  @BeforeEach
  void start(@TempDir Path temporary) throws IOException {
    new Random(7).nextBytes(content);
    FilesTree tree = new FilesTree(temporary);
    Files.write(tree.file("large.bin", ""), content);
    tree.file("small.txt", "small");
    server = HttpServer.builder()
        .exchangeHandler(StaticFiles.directory(tree.root).prefix("/s").build())
        .start();
    client = HttpClient.builder().build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Request.Builder request(HttpVersion version, String path) throws IOException {
    return Request.builder("http://localhost:" + server.port() + path).version(version);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_1_0")
  void largeFileAndItsPartsArrive(HttpVersion version) throws IOException {
    try (Response whole = client.send(request(version, "/s/large.bin").build())) {
      assertEquals(version, whole.version());
      assertEquals(LARGE, whole.body().length());
      assertArrayEquals(content, whole.bytes());
    }
    Request ranged = request(version, "/s/large.bin")
        .header("Range", "bytes=1000000-1999999")
        .build();
    try (Response part = client.send(ranged)) {
      assertEquals(206, part.status().code());
      assertEquals("bytes 1000000-1999999/3000000", part.headers().first("Content-Range"));
      assertArrayEquals(Arrays.copyOfRange(content, 1_000_000, 2_000_000), part.bytes());
    }
    Request several =
        request(version, "/s/large.bin").header("Range", "bytes=0-9,-9").build();
    try (Response parts = client.send(several)) {
      assertEquals(206, parts.status().code());
      assertEquals(parts.body().length(), parts.bytes().length);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_1_0")
  void headAndNotModifiedHaveNoContent(HttpVersion version) throws IOException {
    String tag;
    Request head = request(version, "/s/small.txt").method(Method.HEAD).build();
    try (Response response = client.send(head)) {
      assertEquals(200, response.status().code());
      assertEquals("5", response.headers().first("Content-Length"));
      assertEquals("", response.string());
      tag = response.headers().first("ETag");
    }
    Request known =
        request(version, "/s/small.txt").header("If-None-Match", tag).build();
    try (Response response = client.send(known)) {
      assertEquals(304, response.status().code());
      assertEquals(tag, response.headers().first("ETag"));
      assertNull(response.headers().first("Last-Modified"));
    }
    Request beyond =
        request(version, "/s/small.txt").header("Range", "bytes=9-").build();
    try (Response response = client.send(beyond)) {
      assertEquals(416, response.status().code());
      assertEquals("bytes */5", response.headers().first("Content-Range"));
    }
    try (Response response =
        client.send(request(version, "/s/%2e%2e/secret.txt").build())) {
      assertEquals(404, response.status().code());
    }
  }
}
