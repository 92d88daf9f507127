package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.StatusException;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DownloadTest {
  private static final String ETAG = "ETag: \"v1\"\r\n";

  @TempDir
  private Path folder;

  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("image");
  }

  /** One connection for each answer, which gets a request that must have these fields. */
  private static ScriptedPeer.Script answer(String response, String... fields) {
    return c -> {
      String head = c.expectHead();
      for (String field : fields) {
        assertTrue(head.contains("\r\n" + field + "\r\n"), head);
      }
      if (fields.length == 0) {
        assertFalse(head.contains("\r\nRange:"), head);
      }
      c.send(response);
      c.shutdownOutput();
      c.drain();
    };
  }

  private static String whole(String fields, String content) {
    return "HTTP/1.1 200 OK\r\nConnection: close\r\n" + fields + "Content-Length: "
        + content.length() + "\r\n\r\n" + content;
  }

  /** Of ten bytes, of which fewer come. */
  private static String cut(String fields, String content) {
    return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 10\r\n\r\n" + content;
  }

  private static String part(String range, String fields, String content) {
    return "HTTP/1.1 206 Partial Content\r\nConnection: close\r\n" + fields
        + "Content-Range: bytes " + range + "\r\nContent-Length: " + content.length() + "\r\n\r\n"
        + content;
  }

  private interface Visit {
    void to(HttpClient client, String url) throws Exception;
  }

  private static void visit(Visit visit, ScriptedPeer.Script... answers) throws Exception {
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, answers)) {
      try (HttpClient client = HttpClient.create()) {
        visit.to(client, peer.url("/image"));
      }
      peer.awaitScripts();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void fileIsThereOnceAllOfItIs() throws Exception {
    List<String> seen = new ArrayList<>();
    Files.writeString(file, "old");
    visit(
        (client, url) -> {
          long size = Download.to(file)
              .progress((received, total) -> {
                seen.add(received + "/" + total);
                assertEquals("old", Files.exists(file) ? "old" : "gone");
              })
              .from(client, url);
          assertEquals(10, size);
        },
        answer(whole("", "0123456789")));
    assertEquals("0123456789", Files.readString(file));
    assertEquals(List.of("image"), files());
    assertEquals("10/10", seen.getLast());
  }

  @Test
  void whatWasInterruptedGoesOnAtOnce() throws Exception {
    visit(
        (client, url) -> assertEquals(10, Download.to(file).resume().from(client, url)),
        answer(cut(ETAG, "0123")),
        answer(part("4-9/10", ETAG, "456789"), "Range: bytes=4-", "If-Range: \"v1\""));
    assertEquals("0123456789", Files.readString(file));
    assertEquals(List.of("image"), files());
  }

  @Test
  void whatAnotherProcessBeganGoesOn() throws Exception {
    visit(
        (client, url) -> {
          Files.writeString(folder.resolve("image.part"), "0123");
          Files.writeString(folder.resolve("image.part.validator"), url + "\n\"v1\"\n");
          List<Long> totals = new ArrayList<>();
          Download.to(file)
              .resume()
              .progress((at, total) -> totals.add(at + total))
              .from(client, url);
          assertEquals(20, totals.getLast());
        },
        answer(part("4-9/10", "", "456789"), "Range: bytes=4-", "If-Range: \"v1\""));
    assertEquals("0123456789", Files.readString(file));
  }

  @Test
  void whatHasChangedMeanwhileStartsAgain() throws Exception {
    visit(
        (client, url) -> assertEquals(3, Download.to(file).resume().from(client, url)),
        answer(cut(ETAG, "0123")),
        answer(whole("ETag: \"v2\"\r\n", "new"), "Range: bytes=4-"));
    assertEquals("new", Files.readString(file));
  }

  @Test
  void partOfAnotherVersionIsNotAppended() throws Exception {
    visit(
        (client, url) -> assertEquals(3, Download.to(file).resume().from(client, url)),
        answer(cut(ETAG, "0123")),
        answer(part("4-9/10", "ETag: \"v2\"\r\n", "xxxxxx"), "Range: bytes=4-"),
        answer(whole("", "new")));
    assertEquals("new", Files.readString(file));
  }

  @Test
  void resourceWithoutAStrongValidatorStartsAgain() throws Exception {
    for (String weak : List.of(
        "",
        "ETag: W/\"v1\"\r\n",
        "Last-Modified: Thu, 26 Nov 2026 10:00:00 GMT\r\n",
        "Last-Modified: Thu, 26 Nov 2026 10:00:00 GMT\r\n"
            + "Date: Thu, 26 Nov 2026 10:00:00 GMT\r\n")) {
      visit(
          (client, url) -> {
            assertThrows(
                ConnectionLostException.class, () -> Download.to(file).resume().from(client, url));
            assertEquals(List.of("image.part"), files());
            Download.to(file).resume().from(client, url);
          },
          answer(cut(weak, "0123")),
          answer(whole("", "0123456789")));
      assertEquals("0123456789", Files.readString(file));
      Files.delete(file);
    }
  }

  @Test
  void dateThatIsOldEnoughValidates() throws Exception {
    String fields = "Last-Modified: Thu, 26 Nov 2026 10:00:00 GMT\r\n"
        + "Date: Thu, 26 Nov 2026 10:00:01 GMT\r\n";
    visit(
        (client, url) -> Download.to(file).resume().from(client, url),
        answer(cut(fields, "0123")),
        answer(
            part("4-9/10", "", "456789"),
            "Range: bytes=4-",
            "If-Range: Thu, 26 Nov 2026 10:00:00 GMT"));
    assertEquals("0123456789", Files.readString(file));
  }

  @Test
  void fileThatWasWholeNeedsNoContent() throws Exception {
    visit(
        (client, url) -> {
          Files.writeString(folder.resolve("image.part"), "0123");
          Files.writeString(folder.resolve("image.part.validator"), url + "\n\"v1\"\n");
          assertEquals(4, Download.to(file).resume().from(client, url));
        },
        answer(
            "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */4\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n",
            "Range: bytes=4-"));
    assertEquals("0123", Files.readString(file));
    assertEquals(List.of("image"), files());
  }

  @Test
  void withoutNewContentItDoesNotGoOn() throws Exception {
    visit(
        (client, url) -> {
          assertThrows(
              ConnectionLostException.class, () -> Download.to(file).resume().from(client, url));
          assertEquals(List.of("image.part", "image.part.validator"), files());
        },
        answer(cut(ETAG, "0123")),
        answer(
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-9/10\r\n"
                + "Content-Length: 6\r\n\r\n",
            "Range: bytes=4-"));
  }

  @Test
  void partThatWasNotAskedForIsRefused() throws Exception {
    for (String range : List.of("5-9/10", "*/10", "x", "-9/10")) {
      visit(
          (client, url) ->
              assertThrows(HttpException.class, () -> Download.to(file).resume().from(client, url)),
          answer(cut(ETAG, "0123")),
          answer(part(range, "", "56789"), "Range: bytes=4-"));
      assertFalse(Files.exists(file));
      Files.delete(folder.resolve("image.part"));
      Files.delete(folder.resolve("image.part.validator"));
    }
  }

  @Test
  void failureLeavesNothingUnlessItIsToGoOn() throws Exception {
    visit(
        (client, url) -> {
          assertThrows(ConnectionLostException.class, () -> Download.to(file).from(client, url));
          assertThrows(StatusException.class, () -> Download.to(file).from(client, url));
          assertThrows(IllegalArgumentException.class, () -> Download.to(file)
              .from(client, Request.post(url, Body.empty())));
          assertEquals(List.of(), files());
        },
        answer(cut("", "0123")),
        answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
  }

  @Test
  void twoDownloadsIntoOneFileDoNotMix() throws Exception {
    visit(
        (client, url) -> {
          Download.to(file)
              .progress((received, total) -> {
                if (received == total) {
                  String busy = assertThrows(
                          IOException.class, () -> Download.to(file).from(client, url))
                      .getMessage();
                  assertTrue(busy.contains("is being written by another thread"), busy);
                }
              })
              .from(client, url);
        },
        answer(whole("", "0123456789")),
        answer(whole("", "xxxxxxxxxx")));
    assertEquals("0123456789", Files.readString(file));
  }
}
