package heddle.doh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.doh.DohException.Reason;
import heddle.doh.Question.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Queries, and what is read from the messages that answer them. */
final class QuestionTest {
  private static final int ROUNDS = Integer.getInteger("heddle.fuzz.rounds", 20_000);

  @AutoClose
  private final HttpClient client = HttpClient.create();

  private final DohServer server =
      new DohServer(DohServer.prototype("https://dns.test/dns-query{?dns}"), client, false, false);

  private final Question question = question("a.test", Type.A);

  private static Question question(String name, int type) {
    try {
      return new Question(Name.fromString(name + "."), type);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Message answer(Question question, int rcode) throws IOException {
    return NameServer.response(new Message(question.query()), rcode);
  }

  private Message answer(int rcode) throws IOException {
    return answer(question, rcode);
  }

  private static void add(Message message, String name, int type, long ttl, String data)
      throws IOException {
    message.addRecord(NameServer.record(name, type, ttl, data), Section.ANSWER);
  }

  private Answer read(Message message) throws DohException {
    return question.read(server, message.toWire(), 0);
  }

  private DohException refused(Reason reason, byte[] message) {
    DohException e = assertThrows(DohException.class, () -> question.read(server, message, 0));
    assertEquals(reason, e.reason(), e.getMessage());
    assertEquals("https://dns.test/dns-query", e.server());
    assertTrue(
        e.getMessage().startsWith("the DNS server https://dns.test/dns-query "), e.getMessage());
    return e;
  }

  // ---- RFC 8484 section 4.1 and 6

  @Test
  void queryIsTheSameEachTimeWithAnIdOfZero() throws IOException {
    Message query = new Message(question.query());
    assertEquals(0, query.getHeader().getID());
    assertTrue(query.getHeader().getFlag(Flags.RD));
    assertFalse(query.getHeader().getFlag(Flags.QR));
    assertEquals("a.test.", query.getQuestion().getName().toString());
    assertEquals(Type.A, query.getQuestion().getType());
    assertArrayEquals(question.query(), question.query());
  }

  /** RFC 8467 §4.1. */
  @ParameterizedTest
  @ValueSource(ints = {1, 40, 60, 61})
  void queryIsPaddedToAMultipleOf128Octets(int length) throws IOException {
    String label = "x".repeat(length);
    byte[] query = question(label + "." + label + ".test", Type.AAAA).query();
    assertEquals(0, query.length % 128, query.length + " octets");
    assertNotNull(new Message(query).getOPT());
  }

  /** The example of RFC 8484 §4.2.2. */
  @Test
  void exampleOfTheRfcIsRead() throws IOException {
    byte[] message = HexFormat.of()
        .parseHex("000081800001000100000000"
            + "03777777076578616d706c6503636f6d00001c0001"
            + "c00c001c000100000e7d001020010db8abcd00120001000200030004");
    Answer answer = question("www.example.com", Type.AAAA).read(server, message, 0);
    assertEquals(3709, answer.ttlSeconds());
    assertEquals(
        InetAddress.getByName("2001:db8:abcd:12:1:2:3:4"),
        ((AAAARecord) answer.records().getFirst()).getAddress());
  }

  // ---- RFC 1035 and RFC 2181: times, aliases

  @Test
  void answerHoldsForTheShortestTimeOfItsRecordsLessItsAge() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.CNAME, 40, "b.test.");
    add(message, "b.test", Type.A, 60, "192.0.2.1");
    add(message, "b.test", Type.A, 50, "192.0.2.2");
    assertEquals(40, read(message).ttlSeconds());
    // RFC 8484 §5.1.
    assertEquals(30, question.read(server, message.toWire(), 10).ttlSeconds());
    assertEquals(0, question.read(server, message.toWire(), 41).ttlSeconds());
  }

  /** RFC 2181 §8. */
  @Test
  void timeToLiveBeyond31BitsCountsAsZero() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.A, 60, "192.0.2.1");
    byte[] bytes = message.toWire();
    bytes[bytes.length - 10] = (byte) 0x80; // the first octet of the time to live
    assertEquals(0, question.read(server, bytes, 0).ttlSeconds());
  }

  @Test
  void aliasesAreFollowedInAnyOrderAndCase() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "c.test", Type.A, 60, "192.0.2.1");
    add(message, "B.test", Type.CNAME, 60, "C.test.");
    add(message, "a.TEST", Type.CNAME, 60, "b.test.");
    add(message, "other.test", Type.A, 5, "192.0.2.9");
    Answer answer = read(message);
    assertEquals(1, answer.records().size());
    assertEquals(60, answer.ttlSeconds());
  }

  @Test
  void loopOfAliasesIsRefused() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.CNAME, 60, "b.test.");
    add(message, "b.test", Type.CNAME, 60, "a.test.");
    DohException e = refused(Reason.MALFORMED, message.toWire());
    assertTrue(e.getMessage().contains("more than 16 aliases"), e.getMessage());
  }

  @Test
  void chainOfSixteenAliasesIsFollowed() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.CNAME, 60, "a1.test.");
    for (int i = 1; i < Question.MAX_ALIASES; i++) {
      add(message, "a" + i + ".test", Type.CNAME, 60, "a" + (i + 1) + ".test.");
    }
    add(message, "a16.test", Type.A, 60, "192.0.2.1");
    assertEquals(1, read(message).records().size());
  }

  @Test
  void atMost64RecordsAreUsed() throws IOException {
    Message message = answer(Rcode.NOERROR);
    for (int i = 0; i < 200; i++) {
      add(message, "a.test", Type.A, 60, "192.0.2." + i);
    }
    assertEquals(64, read(message).records().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {Rcode.NOERROR, Rcode.NXDOMAIN})
  void answerMayHaveNoRecords(int rcode) throws IOException {
    assertEquals(List.of(), read(answer(rcode)).records());
  }

  // ---- what is no answer

  @ParameterizedTest
  @ValueSource(ints = {Rcode.FORMERR, Rcode.SERVFAIL, Rcode.NOTIMP, Rcode.REFUSED})
  void failureOfTheServerIsNamed(int rcode) throws IOException {
    DohException e = refused(Reason.RESPONSE_CODE, answer(rcode).toWire());
    assertTrue(
        e.getMessage().contains("answered " + Rcode.string(rcode) + " when asked for A of a.test."),
        e.getMessage());
  }

  @Test
  void messageThatIsCutShortIsRefused() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.A, 60, "192.0.2.1");
    message.getHeader().setFlag(Flags.TC);
    refused(Reason.TRUNCATED, message.toWire());
  }

  @Test
  void answerToAnotherQuestionIsRefused() throws IOException {
    refused(
        Reason.OTHER_QUESTION, answer(question("b.test", Type.A), Rcode.NOERROR).toWire());
    refused(
        Reason.OTHER_QUESTION,
        answer(question("a.test", Type.AAAA), Rcode.NOERROR).toWire());
    Message none = answer(Rcode.NOERROR);
    none.removeAllRecords(Section.QUESTION);
    refused(Reason.OTHER_QUESTION, none.toWire());
  }

  @Test
  void whatIsNoResponseIsRefused() throws IOException {
    refused(Reason.MALFORMED, question.query());
    Message notify = answer(Rcode.NOERROR);
    notify.getHeader().setOpcode(Opcode.NOTIFY);
    refused(Reason.MALFORMED, notify.toWire());
  }

  @Test
  void messageThatEndsTooEarlyIsRefused() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.CNAME, 60, "b.test.");
    add(message, "b.test", Type.A, 60, "192.0.2.1");
    byte[] bytes = message.toWire();
    for (int length = 0; length < bytes.length; length++) {
      refused(Reason.MALFORMED, Arrays.copyOf(bytes, length));
    }
  }

  @Test
  void countsWithoutRecordsAreRefusedAtOnce() throws IOException {
    byte[] bytes = answer(Rcode.NOERROR).toWire();
    bytes[6] = (byte) 0xff;
    bytes[7] = (byte) 0xff;
    refused(Reason.MALFORMED, bytes);
  }

  @Test
  void compressionThatLeadsForwardOrToItselfIsRefused() throws IOException {
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.A, 60, "192.0.2.1");
    byte[] bytes = message.toWire();
    int pointer = bytes.length - 16;
    for (int target : new int[] {pointer, pointer + 2, 0x3fff}) {
      byte[] changed = bytes.clone();
      changed[pointer] = (byte) (0xc0 | target >> 8);
      changed[pointer + 1] = (byte) target;
      refused(Reason.MALFORMED, changed);
    }
  }

  /** Changed, cut and random messages are read or refused by name, and never fail otherwise. */
  @Test
  void randomMessagesAreReadOrRefused() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Message message = answer(Rcode.NOERROR);
    add(message, "a.test", Type.CNAME, 60, "b.test.");
    add(message, "b.test", Type.A, 60, "192.0.2.1");
    add(message, "b.test", Type.HTTPS, 60, "1 . alpn=h2,http/1.1 port=443 ipv4hint=192.0.2.1");
    add(message, "b.test", Type.TXT, 60, "\"some text\"");
    byte[] valid = message.toWire();
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = valid.clone();
      for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (random.nextInt(4) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(2 * bytes.length));
      }
      byte[] changed = bytes;
      try {
        for (Record each : question.read(server, changed, 0).records()) {
          assertEquals(Type.A, each.getType());
        }
      } catch (DohException e) {
        assertNotNull(e.reason());
      } catch (RuntimeException e) {
        throw new AssertionError(
            "seed %d, round %d: %s".formatted(seed, round, HexFormat.of().formatHex(changed)), e);
      }
    }
  }
}
