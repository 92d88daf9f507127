package heddle.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Status;
import heddle.http.syntax.DeltaSeconds;
import heddle.testwatch.FuzzTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** What servers say about storing their responses, and what a file of the cache holds. */
enum CacheTarget implements FuzzTarget {
  LISTS,
  FIELDS,
  HEAD;

  private static final String KEY = "http://example.com:80/";
  /** The magic number, the checksum, and the key with its length. */
  private static final int PREFIX = 3 * Integer.BYTES + KEY.length();

  private static final long NOW = 1_700_000_000_000L;
  private static final long DAY_SECONDS = 24 * 3600;

  @Override
  public void run(byte[] input) throws IOException {
    switch (this) {
      case LISTS -> lists(new String(input, ISO_8859_1));
      case FIELDS -> fields(input);
      case HEAD -> head(input);
    }
  }

  /** The elements of a list are those of the list that they make. */
  private static void lists(String text) {
    List<String> elements = FieldLists.elements(text);
    for (String each : elements) {
      assertFalse(each.isBlank());
      assertEquals(each.strip(), each);
    }
    // A quote without its end could meet another one if the elements are put together again.
    if (text.indexOf('"') < 0) {
      assertEquals(elements, FieldLists.elements(String.join(",", elements)));
    }
    long seconds = CacheControl.seconds(text, 0);
    assertTrue(seconds >= 0 && seconds <= DeltaSeconds.MAX);
  }

  /** Any fields of a response, a line for each, can be stored, and read from a file again. */
  private static void fields(byte[] input) throws IOException {
    Headers.Builder fields = Headers.builder();
    try {
      for (String line : new String(input, ISO_8859_1).split("\n", -1)) {
        int colon = Math.max(0, line.indexOf(':'));
        fields.add(
            line.substring(0, colon),
            line.substring(Math.min(line.length(), colon + 1)).strip());
      }
    } catch (IllegalArgumentException e) {
      return; // No response can have such a field.
    }
    Headers received = fields.build();
    CachedResponse stored = response(CachedResponse.stored(received, NOW));
    assertUsable(stored);
    assertUsable(response(stored.mergedWith(received, NOW)));
    CacheControl control = CacheControl.ofRequest(received);
    assertTrue(control.maxAge() >= CacheControl.NONE);
    List<CachedResponse> responses = List.of(stored);
    assertEquals(responses, HeadFormat.read(HeadFormat.write(KEY, responses), KEY));
  }

  private static CachedResponse response(Headers stored) {
    return new CachedResponse(
        Status.OK,
        HttpVersion.HTTP_1_1,
        stored,
        new Variant(List.of(), null),
        NOW,
        NOW,
        new Content.InFile(1, 2, 3));
  }

  private static void assertUsable(CachedResponse response) {
    for (long now : new long[] {0, NOW, Long.MAX_VALUE / 2}) {
      Freshness freshness = response.freshness(now, DAY_SECONDS);
      assertTrue(freshness.lifetime() >= 0 && freshness.age() >= 0, freshness::toString);
    }
    assertTrue(response.headBytes() > 0);
  }

  /** A file, sealed so that the parser has to notice: read as it is written, or refused by name. */
  private static void head(byte[] input) throws IOException {
    byte[] file = Arrays.copyOf(HeadFormat.write(KEY, List.of()), PREFIX + input.length);
    System.arraycopy(input, 0, file, PREFIX, input.length);
    HeadFormat.seal(file);
    try {
      List<CachedResponse> read = HeadFormat.read(file, KEY);
      byte[] written = HeadFormat.write(KEY, read);
      assertEquals(read, HeadFormat.read(written, KEY));
      assertArrayEquals(written, HeadFormat.write(KEY, HeadFormat.read(written, KEY)));
      for (CachedResponse each : read) {
        each.freshness(NOW, DAY_SECONDS);
      }
    } catch (HeadFormat.DamagedHeadException e) {
      assertFalse(e.getMessage().isBlank());
    }
  }

  private static byte[] headSeed(CachedResponse... responses) {
    try {
      byte[] file = HeadFormat.write(KEY, List.of(responses));
      return Arrays.copyOfRange(file, PREFIX, file.length);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<byte[]> octets(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  @Override
  public List<byte[]> seeds() {
    return switch (this) {
      case LISTS -> octets("a, b", ",,a=\"b, c\" ,d", "\"a, b", "\"\\\"", "\"120\"", "99999999999");
      case FIELDS ->
        octets(
            "Cache-Control: max-age=60, private=\"x\"\nVary: Accept, *\nETag: \"a\"",
            "Date: Sun, 06 Nov 1994 08:49:37 GMT\nExpires: 0\nAge: 99999999999",
            "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\nConnection: close, x\nX: y",
            "Expires: Sunday, 06-Nov-94 08:49:37 GMT\nDate: Sun Nov  6 08:49:37 1994",
            "Date: Fri, 01 Jan +999999999 00:00:00 GMT\nCache-Control: max-age=\"1",
            "Pragma: no-cache\nCache-Control: max-stale");
      case HEAD -> {
        Headers headers = Headers.of("ETag", "\"a\"", "Cache-Control", "max-age=60");
        Variant variant = new Variant(
            List.of(
                new Variant.Selecting(HeaderName.ACCEPT, "a"),
                new Variant.Selecting(HeaderName.USER_AGENT, null)),
            "me");
        CachedResponse response = response(headers);
        byte[] whole = headSeed(response, response.withHead(headers, variant, -1, NOW));
        yield List.of(
            whole, headSeed(response), Arrays.copyOf(whole, whole.length / 2), new byte[4]);
      }
    };
  }
}
