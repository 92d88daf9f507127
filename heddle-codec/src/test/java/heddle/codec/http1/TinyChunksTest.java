package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.codec.ProtocolException.Violation;
import heddle.http.Limits;
import heddle.http.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks whose framing outweighs their content are bounded; streams of small messages last. */
class TinyChunksTest {
  private static final String POST =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final long SECOND = 1_000_000_000L;

  static Stream<Conversation> inContent() {
    return Stream.of(
        Conversation.server().receives(POST),
        Conversation.client(Limits.DEFAULTS, null, Method.GET).receives(OK));
  }

  private static String chunks(int count, int size) {
    return (Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n").repeat(count);
  }

  @ParameterizedTest
  @MethodSource("inContent")
  void oneByteChunksAreRefusedBeyondTheBurst(Conversation peer) {
    assertNull(peer.receives(chunks(10_000, 1)).refusal());
    peer.receives(chunks(1, 1)).refuses(Violation.TINY_CHUNKS);
  }

  @ParameterizedTest
  @MethodSource("inContent")
  void aSteadyStreamOfSmallMessagesLasts(Conversation peer) {
    for (int second = 0; second < 100; second++) {
      peer.now += SECOND;
      assertNull(peer.receives(chunks(1_000, 1)).refusal());
    }
  }

  @ParameterizedTest
  @MethodSource("inContent")
  void tooFastAStreamOfTinyChunksIsRefusedInTheEnd(Conversation peer) {
    for (int second = 0; second < 15 && peer.refusal() == null; second++) {
      peer.receives(chunks(2_000, 1));
      peer.now += SECOND;
    }
    peer.refuses(Violation.TINY_CHUNKS);
  }

  @ParameterizedTest
  @MethodSource("inContent")
  void chunksOfSixteenBytesAreNotCounted(Conversation peer) {
    assertNull(peer.receives(chunks(100_000, 16)).refusal());
  }

  @ParameterizedTest
  @MethodSource("inContent")
  void contentMakesUpForTinyChunks(Conversation peer) {
    for (int i = 0; i < 100_000; i++) {
      assertNull(peer.receives(chunks(1, 1) + chunks(1, 40)).refusal());
    }
  }

  @ParameterizedTest
  @MethodSource("inContent")
  void oneLargeChunkIsNoLicenceForLaterFloods(Conversation peer) {
    assertNull(peer.receives(chunks(1, 1_000_000)).refusal());
    peer.receives(chunks(10_001, 1)).refuses(Violation.TINY_CHUNKS);
  }

  @Test
  void aNewMessageDoesNotForgetTheLastOnes() {
    Conversation.server()
        .receives(POST + chunks(6_000, 1) + "0\r\n\r\n")
        .receives(POST + chunks(6_000, 1) + "0\r\n\r\n")
        .refuses(Violation.TINY_CHUNKS);
  }
}
