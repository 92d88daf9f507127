package heddle.har;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testwatch.FuzzTarget;
import heddle.testwatch.InputFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Recordings that other programs have written: refused by name, or all their entries answer. */
enum HarTarget implements FuzzTarget {
  /** The input is a file. */
  FILE,

  /** Each line of the input is a value in an entry. */
  ENTRY;

  /** In the order of the lines. */
  private static final String ENTRY_FORMAT =
      """
      {"log": {"entries": [{
        "request": {"method": %s, "url": %s,
          "postData": {"mimeType": %s, "text": %s, "_encoding": %s}},
        "response": {"status": %s, "statusText": %s, "httpVersion": %s,
          "headers": [{"name": %s, "value": %s}, {"name": "Content-Type", "value": %s}],
          "content": {"text": %s, "encoding": %s, "size": %s}}}]}}
      """;

  private static final int LINES = 14;

  @Override
  public void run(byte[] input) throws IOException {
    replay(this == FILE ? input : entry(new String(input, UTF_8)).getBytes(UTF_8));
  }

  private static String entry(String text) {
    String[] lines = Arrays.copyOf(text.split("\n", LINES), LINES);
    return ENTRY_FORMAT.formatted(
        Arrays.stream(lines).map(Har.JSON::writeValueAsString).toArray());
  }

  private static void replay(byte[] content) throws IOException {
    try {
      HarReplay replay =
          HarReplay.builder(InputFile.of(content)).redaction(Redaction.none()).build();
      for (HarReplay.Entry each : replay.unused()) {
        answer(replay, each);
      }
      assertEquals(List.of(), replay.unused());
    } catch (HarFormatException e) {
      assertFalse(e.getMessage().isBlank());
    }
  }

  private static void answer(HarReplay replay, HarReplay.Entry entry) throws IOException {
    Request request =
        Request.builder(entry.url()).method(Method.of(entry.method())).build();
    try (Response response = replay.intercept(request, never -> {
      throw new AssertionError("a replay calls no server");
    })) {
      assertEquals(entry.status(), response.status().code());
      response.bytes();
    } catch (NotRecordedException e) {
      throw new AssertionError(e);
    } catch (HttpException recorded) {
      assertFalse(recorded.getMessage().isBlank());
    }
  }

  private static byte[] lines(String... lines) {
    return String.join("\n", lines).getBytes(UTF_8);
  }

  @Override
  public List<byte[]> seeds() {
    return switch (this) {
      case FILE -> {
        String valid = entry(new String(ENTRY.seeds().getFirst(), UTF_8));
        yield List.of(
            valid.getBytes(UTF_8),
            valid.replace("200", "1e2").replace("null", "{}").getBytes(UTF_8),
            valid.substring(0, valid.length() / 2).getBytes(UTF_8),
            "{\"log\":{\"entries\":[null,{}]}}".getBytes(UTF_8),
            "\uFEFF{\"log\":[]}".getBytes(UTF_8));
      }
      case ENTRY ->
        List.of(
            lines(
                "GET", "http://a/", "", "", "", "200", "OK", "HTTP/1.1", "X", "y", "", "", "", "0"),
            lines(
                "POST",
                "https://\u00e4.test/?a=%20#b",
                "application/x-www-form-urlencoded",
                "a=b&c",
                "",
                "404",
                "\u00e4",
                "h3",
                "Content-Length",
                "3",
                "text/plain; charset=utf-16",
                "abc",
                "base64",
                "3"),
            lines("HEAD", "http://[::1]:8/", "", "", "", "204", "", "", ":status", "x", "x"),
            lines("G T", "data:,x", "", "", "", "99", "", "", " ", "\u0000"));
    };
  }
}
