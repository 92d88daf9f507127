package heddle.har;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are no recordings, or more than is wanted, fail with what is wrong and where. */
final class BadHarFilesTest {
  @TempDir
  private Path folder;

  private Path file(byte[] content) throws IOException {
    return Files.write(folder.resolve("bad.har"), content);
  }

  private HarFormatException refused(String content) throws IOException {
    Path file = file(content.getBytes(UTF_8));
    return assertThrows(HarFormatException.class, () -> HarReplay.of(file));
  }

  private static byte[] fixture(String name) throws IOException {
    try (InputStream in = BadHarFilesTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private static String entry(String request, String response) {
    return "{'log':{'entries':[{'request':{'method':'GET','url':'http://a.test/'},"
        + "'response':{'status':200}},{'request':" + request + ",'response':" + response + "}]}}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          [1]                                  | is not in the HTTP Archive format (line 1
          {'log':                              | is not in the HTTP Archive format (line 1
          {'log':{'entries':[]}} x             | is not in the HTTP Archive format
          null                                 | it is null
          {}                                   | it has no log.entries
          {'log':null}                         | it has no log.entries
          {'log':{'version':'1.2'}}            | it has no log.entries
          {'log':{'entries':{}}}               | at log.entries (line 1
          {'log':{'entries':[7]}}              | at log.entries[0] (line 1
          {'log':{'entries':[null]}}           | malformed at log.entries[0].request must have a
          {'log':{'entries':[{}]}}             | malformed at log.entries[0].request must have a
          """)
  void whatIsNoRecordingIsNamed(String json, String problem) throws IOException {
    String message = refused(json.replace('\'', '"')).getMessage();
    assertTrue(message.contains(problem), message);
    assertTrue(message.startsWith(folder.resolve("bad.har").toString()), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'status':42}                               | response.status: status 42
          {'status':'x'}                              | log.entries[1].response.status (
          {'headers':[{'name':'a'},{'name':'b c'}]}   | response.headers[1]:
          {'headers':[{}]}                            | response.headers[0]: it has no name
          {'headers':[{'name':'a','value':'\\u0001'}]} | response.headers[0]:
          {'headers':{}}                              | log.entries[1].response.headers (
          {'content':{'text':'a','encoding':'base64'}} | response.content.text:
          {'content':{'text':{}}}                     | log.entries[1].response.content.text (
          """)
  void malformedResponseIsNamed(String response, String problem) throws IOException {
    String valid = response
        .replace("{'headers", "{'status':200,'headers")
        .replace("{'content", "{'status':200,'content");
    assertNamed("{'method':'GET','url':'http://b/'}", valid, problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'method':'G T','url':'http://b/'} | request.method: 0x20 at index 1
          {'method':'GET'}                   | request must have a method and a url
          {'url':'http://b/'}                | request must have a method and a url
          7                                  | log.entries[1].request (
          """)
  void malformedRequestIsNamed(String request, String problem) throws IOException {
    assertNamed(request, "{'status':200}", problem);
  }

  private void assertNamed(String request, String response, String problem) throws IOException {
    String message = refused(entry(request, response).replace('\'', '"')).getMessage();
    assertTrue(message.contains("log.entries[1]."), message);
    assertTrue(message.contains(problem), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16", "UTF-32"})
  void otherEncodingThanUtf8IsRefused(String encoding) throws IOException {
    String json = new String(fixture("chrome.har"), UTF_8);
    Path file = file(json.getBytes(Charset.forName(encoding)));
    HarFormatException failure = assertThrows(HarFormatException.class, () -> HarReplay.of(file));
    assertTrue(failure.getMessage().contains("not in the HTTP Archive format"), failure::toString);
  }

  /** Octets that look like the beginning of UTF-32, in an order of bytes that no machine has. */
  @Test
  void octetsThatAreNoTextAreRefused() throws IOException {
    Path file = file(new byte[] {0, 0, '{', 0, 1, 2, 3, 4});
    assertThrows(HarFormatException.class, () -> HarReplay.of(file));
  }

  @Test
  void byteOrderMarkIsAccepted() throws IOException {
    String json = "\uFEFF" + new String(fixture("chrome.har"), UTF_8);
    assertEquals(5, HarReplay.of(file(json.getBytes(UTF_8))).unused().size());
  }

  @Test
  void missingFileIsNoFormat() {
    Path missing = folder.resolve("missing.har");
    assertThrows(NoSuchFileException.class, () -> HarReplay.of(missing));
  }

  // ---- limits

  @Test
  void fileLargerThanAllowedIsNotRead() throws IOException {
    Path file = file(fixture("chrome.har"));
    HarFormatException failure = assertThrows(
        HarFormatException.class,
        () -> HarReplay.builder(file).maxFileBytes(1000).build());
    assertTrue(
        failure.getMessage().contains("bytes, more than the 1000 that are allowed"),
        failure::getMessage);
    assertEquals(
        5,
        HarReplay.builder(file).maxFileBytes(Files.size(file)).build().unused().size());
  }

  /** As a file that grows, or a device, whose size is said to be 0. */
  @Test
  void readingEndsAtTheLimitWhateverTheSizeIsSaidToBe() {
    InputStream endless = new InputStream() {
      private long count;

      @Override
      public int read() {
        assertTrue(count++ < 1_000_000, "it reads on");
        return ' ';
      }
    };
    assertThrows(HarFormatException.class, () -> HarFile.read(endless, "endless", 100_000));
  }

  @Test
  void moreEntriesThanAllowedAreRefused() throws IOException {
    Path file = file(fixture("chrome.har"));
    HarFormatException failure = assertThrows(
        HarFormatException.class, () -> HarReplay.builder(file).maxEntries(6).build());
    assertTrue(
        failure.getMessage().contains("has 7 entries, more than the 6 that are allowed"),
        failure::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void deepNestingIsRefused(String open) throws IOException {
    String message = refused("{\"log\":{\"x\":" + open.repeat(100_000)).getMessage();
    assertTrue(message.contains("more deeply nested than allowed"), message);
  }

  // ---- files that are cut or changed

  /** As after a failure of the machine while an entry is written. */
  @Test
  void fileThatIsCutAnywhereIsRefused() throws IOException {
    byte[] whole = new String(fixture("firefox.har"), UTF_8).strip().getBytes(UTF_8);
    for (int length = 0; length < whole.length; length += 19) {
      Path file = file(Arrays.copyOf(whole, length));
      assertThrows(HarFormatException.class, () -> HarReplay.of(file));
    }
  }

  @Test
  void changedFilesAreReadOrRefusedByName() throws IOException {
    long seed = System.nanoTime();
    System.out.println("BadHarFilesTest seed: " + seed);
    Random random = new Random(seed);
    int rounds = Integer.getInteger("heddle.fuzz.rounds", 500);
    byte[] whole = fixture("firefox.har");
    String alphabet = "{}[]\":,\\0-eE+.tfn\u0000\u00ff ";
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
      byte[] changed = whole.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        byte[] signs = alphabet.getBytes(ISO_8859_1);
        changed[random.nextInt(changed.length)] = signs[random.nextInt(signs.length)];
      }
      try {
        HarReplay.of(file(changed));
      } catch (HarFormatException named) {
        refused++;
      }
    }
    assertTrue(refused > 0 && refused < rounds, "refused " + refused + " of " + rounds);
  }
}
