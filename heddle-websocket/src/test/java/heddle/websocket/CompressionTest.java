package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** permessage-deflate (RFC 7692). */
final class CompressionTest {
  private static final int MOST = 1 << 20;

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static byte[] decompressed(MessageInflater inflater, String hex) throws Exception {
    byte[] bytes = hex(hex);
    return inflater.decompress(bytes, bytes.length);
  }

  /** RFC 7692 §7.2.3: one block, a second message that refers to it, no compression, BFINAL. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f2 48 cd c9 c9 07 00",
        "00 05 00 fa ff 48 65 6c 6c 6f 00",
        "f3 48 cd c9 c9 07 00 00",
        "f2 48 05 00 00 00 ff ff ca c9 c9 07 00",
      })
  void examplesOfTheRfcAreDecompressed(String message) throws Exception {
    try (MessageInflater inflater =
        new MessageInflater(true, MOST, MessageMemoryTest.uncounted())) {
      assertEquals("Hello", new String(decompressed(inflater, message), UTF_8));
    }
  }

  @Test
  void contextIsKeptIfThatWasAgreedOn() throws Exception {
    try (MessageInflater keeps = new MessageInflater(true, MOST, MessageMemoryTest.uncounted());
        MessageInflater forgets = new MessageInflater(false, MOST, MessageMemoryTest.uncounted())) {
      for (MessageInflater each : List.of(keeps, forgets)) {
        assertEquals("Hello", new String(decompressed(each, "f2 48 cd c9 c9 07 00"), UTF_8));
      }
      assertEquals("Hello", new String(decompressed(keeps, "f2 00 11 00 00"), UTF_8));
      assertThrows(WebSocketProtocolException.class, () -> decompressed(forgets, "f2 00 11 00 00"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messagesAreDecompressedToWhatTheyWere(boolean keepsContext) throws Exception {
    Random random = new Random(7);
    try (MessageDeflater deflater = new MessageDeflater(keepsContext);
        MessageInflater inflater =
            new MessageInflater(keepsContext, MOST, MessageMemoryTest.uncounted())) {
      for (int length : new int[] {1, 2, 100, 1024, 65_536, 500_000, MOST}) {
        for (int alphabet : new int[] {1, 10, 256}) {
          byte[] content = new byte[length];
          for (int i = 0; i < length; i++) {
            content[i] = (byte) random.nextInt(alphabet);
          }
          byte[] compressed = deflater.compress(content);
          assertTrue(alphabet == 256 || length < 1000 || compressed.length < length * 2 / 3);
          assertArrayEquals(content, inflater.decompress(compressed, compressed.length));
        }
      }
    }
  }

  @Test
  void messageThatGrowsBeyondTheLimitIsRefused() throws Exception {
    try (MessageDeflater deflater = new MessageDeflater(false);
        MessageInflater inflater =
            new MessageInflater(false, 99_999, MessageMemoryTest.uncounted())) {
      byte[] bomb = deflater.compress(new byte[100_000]);
      assertTrue(bomb.length < 200);
      WebSocketProtocolException failure = assertThrows(
          WebSocketProtocolException.class, () -> inflater.decompress(bomb, bomb.length));
      assertEquals(CloseReason.TOO_LARGE, failure.code());
      byte[] allowed = deflater.compress(new byte[99_999]);
      assertEquals(99_999, inflater.decompress(allowed, allowed.length).length);
    }
  }

  @Test
  void corruptMessagesAreRefused() throws Exception {
    Random random = new Random(3);
    int refused = 0;
    try (MessageDeflater deflater = new MessageDeflater(false)) {
      byte[] good = deflater.compress("some text, some text and some more text".getBytes(UTF_8));
      for (int i = 0; i < 1000; i++) {
        byte[] bad = good.clone();
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
        try (MessageInflater inflater =
            new MessageInflater(false, MOST, MessageMemoryTest.uncounted())) {
          inflater.decompress(bad, bad.length);
        } catch (WebSocketProtocolException e) {
          refused++;
        }
      }
    }
    assertTrue(refused > 100, "refused " + refused);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messagesThatAreCutAreRefused(boolean keepsContext) throws Exception {
    Random random = new Random(5);
    byte[] noise = new byte[300];
    random.nextBytes(noise);
    byte[] words =
        "one two three four five six seven eight nine ten ".repeat(40).getBytes(UTF_8);
    for (byte[] content : List.of("Hello".getBytes(UTF_8), words, noise)) {
      byte[] compressed;
      try (MessageDeflater deflater = new MessageDeflater(false)) {
        compressed = deflater.compress(content);
      }
      for (int length = 0; length < compressed.length; length++) {
        int cut = length;
        if (length == 1 && compressed[0] == 0) {
          continue; // which is an empty message (RFC 7692 section 7.2.3.6)
        }
        try (MessageInflater inflater =
            new MessageInflater(keepsContext, MOST, MessageMemoryTest.uncounted())) {
          assertThrows(
              WebSocketProtocolException.class,
              () -> inflater.decompress(compressed, cut),
              () -> cut + " of " + compressed.length + " bytes");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 64, 1000, 64",
    "100, 64, 1000, 200",
    "700, 64, 1000, 1000",
    "1000, 64, 1000, 1000",
    "1200000000, 8192, 2000000000, 2000000000",
    "2000000000, 8192, 2147483648, 2147483639",
    "2147483639, 64, 2147483648, 2147483639",
  })
  void roomGrowsToTheLimitAndNotBeyond(int size, int more, long most, int expected) {
    assertEquals(expected, Growth.of(size, more, most));
  }

  // ---- negotiation

  private static Deflation agreed(String fields, Compression offered) {
    return Deflation.agreed(Arrays.asList(fields.split("\\|")), offered);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '/',
      value = {
        "WITH_CONTEXT / permessage-deflate / true / true",
        "WITH_CONTEXT / Permessage-Deflate; client_no_context_takeover / false / true",
        "WITH_CONTEXT / permessage-deflate; server_no_context_takeover / true / false",
        "WITH_CONTEXT / permessage-deflate; server_max_window_bits=10 / true / true",
        "WITH_CONTEXT / permessage-deflate; server_max_window_bits=\"8\" / true / true",
        "EACH_MESSAGE / permessage-deflate / false / true",
        "EACH_MESSAGE / permessage-deflate;server_no_context_takeover / false / false",
      })
  void choiceOfTheServerHolds(
      Compression offered, String fields, boolean clientKeeps, boolean serverKeeps) {
    assertEquals(new Deflation(clientKeeps, serverKeeps), agreed(fields, offered));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-bzip2",
        "permessage-deflate, permessage-deflate",
        "permessage-deflate|x-other",
        "permessage-deflate; client_max_window_bits=10",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
        "permessage-deflate; unheard-of",
      })
  void whatWasNotOfferedIsRefused(String fields) {
    assertThrows(IllegalArgumentException.class, () -> agreed(fields, Compression.WITH_CONTEXT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '/',
      value = {
        "permessage-deflate / permessage-deflate / true / true",
        "permessage-deflate; client_max_window_bits / permessage-deflate / true / true",
        "permessage-deflate; client_max_window_bits=\"10\" / permessage-deflate / true / true",
        "x-other, permessage-deflate; server_no_context_takeover"
            + " / permessage-deflate; server_no_context_takeover / true / false",
        "permessage-deflate; client_no_context_takeover"
            + " / permessage-deflate; client_no_context_takeover / false / true",
        "permessage-deflate; server_max_window_bits=10|permessage-deflate"
            + " / permessage-deflate / true / true",
        "permessage-deflate; server_max_window_bits=15"
            + " / permessage-deflate; server_max_window_bits=15 / true / true",
      })
  void firstOfferThatCanBeMetIsAccepted(
      String offers, String field, boolean clientKeeps, boolean serverKeeps) {
    Deflation.Answer answer =
        Deflation.accept(Arrays.asList(offers.split("\\|")), Compression.WITH_CONTEXT);
    assertEquals(new Deflation.Answer(new Deflation(clientKeeps, serverKeeps), field), answer);
    // A client that made this offer takes the answer.
    assertEquals(answer.deflation(), agreed(field, Compression.WITH_CONTEXT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x-other",
        "permessage-deflate; server_max_window_bits=8",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; client_max_window_bits=16",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; unheard-of",
      })
  void offersThatCannotBeMetAreDeclined(String offers) {
    assertNull(Deflation.accept(List.of(offers), Compression.WITH_CONTEXT));
    assertNull(Deflation.accept(List.of("permessage-deflate"), Compression.OFF));
  }

  @Test
  void memoryIsSharedWithNoEarlierMessageUnlessBothSidesAllowIt() {
    Deflation.Answer answer =
        Deflation.accept(List.of("permessage-deflate"), Compression.EACH_MESSAGE);
    assertEquals(new Deflation(false, false), answer.deflation());
    assertEquals(
        "permessage-deflate; client_no_context_takeover; server_no_context_takeover",
        answer.field());
  }

  @Test
  void serverMayDeclineButNotChooseWithoutAnOffer() {
    assertNull(agreed("", Compression.WITH_CONTEXT));
    assertNull(Deflation.agreed(List.of(), Compression.OFF));
    assertThrows(
        IllegalArgumentException.class, () -> agreed("permessage-deflate", Compression.OFF));
  }
}
