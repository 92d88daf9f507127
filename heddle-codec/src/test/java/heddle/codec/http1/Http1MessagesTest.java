package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import heddle.codec.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every message whole, one byte at a time, and cut in two at every position. */
class Http1MessagesTest {
  /** Above this, an input is not cut at every position, but at its first and last ones. */
  private static final int LONG = 400;

  @TestFactory
  Stream<DynamicTest> validMessagesYieldTheSameHoweverTheyAreCut() {
    return tests(ValidMessages.all());
  }

  @TestFactory
  Stream<DynamicTest> hostileMessagesAreRefusedHoweverTheyAreCut() {
    return tests(HostileMessages.all());
  }

  private static Stream<DynamicTest> tests(List<MessageCase> cases) {
    return cases.stream()
        .map(each -> dynamicTest(
            (each.asked().isEmpty() ? "request: " : "response: ") + each.name(),
            () -> runInAllWays(each)));
  }

  private static void runInAllWays(MessageCase each) {
    byte[] input = each.input().getBytes(StandardCharsets.ISO_8859_1);
    HeadParser scratch = new HeadParser();
    for (HeadParser parser : new @Nullable HeadParser[] {null, scratch}) {
      check(each, each.start(parser).receives(input));
      check(each, byteByByte(each.start(parser), input));
      for (int cut = 1; cut < input.length; cut++) {
        if (cut < LONG || cut > input.length - LONG) {
          check(each, inTwo(each.start(parser), input, cut));
        }
      }
    }
  }

  private static Conversation byteByByte(Conversation conversation, byte[] input) {
    for (byte b : input) {
      if (conversation.refusal() == null) {
        conversation.receives(new byte[] {b});
      }
    }
    return conversation;
  }

  private static Conversation inTwo(Conversation conversation, byte[] input, int cut) {
    conversation.receives(java.util.Arrays.copyOf(input, cut));
    return conversation.refusal() != null
        ? conversation
        : conversation.receives(java.util.Arrays.copyOfRange(input, cut, input.length));
  }

  private static void check(MessageCase each, Conversation conversation) {
    if (each.closes()) {
      conversation.closed();
    }
    if (each.violation() != null) {
      conversation.refuses(each.violation());
      ProtocolException refusal = conversation.refusal();
      assertFalse(refusal == null || refusal.getMessage().isBlank());
      assertFalse(conversation.session.isReusable());
    } else {
      assertEquals(String.join("\n", each.yields()), String.join("\n", conversation.transcript()));
      conversation.leaves(each.left());
    }
  }
}
