package heddle.doh;

import heddle.doh.DohException.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * A question to a name service: the message that asks it, and what a message says in answer. The
 * format of messages is dnsjava's. Immutable.
 *
 * @param type one of those of {@link Type}
 */
record Question(Name name, int type) {
  /** How many aliases lead to a name at most. Servers send the whole chain in one message. */
  static final int MAX_ALIASES = 16;

  /** How many records of an answer are used, so that few bytes of cache are one host's. */
  static final int MAX_RECORDS = 64;

  /** RFC 8467 §4.1: queries are padded to a multiple of this, so that lengths say little. */
  static final int PADDING_BLOCK = 128;

  /** RFC 7830 §3. */
  private static final int PADDING_OPTION = 12;

  /** RFC 2181 §8: a greater time to live counts as 0. */
  private static final long MAX_TTL = Integer.MAX_VALUE;

  /**
   * What a server says.
   *
   * @param records of the type that was asked for, in the server's order; none if there are none
   * @param ttlSeconds how long they hold: the shortest time of theirs and of the aliases'
   */
  record Answer(List<Record> records, long ttlSeconds) {}

  /** The query, the same each time: RFC 8484 §4.1 has an id of 0 for the sake of HTTP caches. */
  byte[] query() {
    int unpadded = query(0).length;
    return query(Math.floorMod(-unpadded, PADDING_BLOCK));
  }

  private byte[] query(int padding) {
    Header header = new Header(0);
    header.setFlag(Flags.RD);
    Message message = new Message();
    message.setHeader(header);
    message.addRecord(Record.newRecord(name, type, DClass.IN), Section.QUESTION);
    GenericEDNSOption option = new GenericEDNSOption(PADDING_OPTION, new byte[padding]);
    message.addRecord(
        new OPTRecord(DohServer.MAX_MESSAGE, 0, 0, 0, List.of(option)), Section.ADDITIONAL);
    return message.toWire();
  }

  /**
   * Reads a server's response.
   *
   * @param ageSeconds how long caches have held it (RFC 8484 §5.1)
   * @throws DohException if it is no answer to this question
   */
  Answer read(DohServer server, byte[] bytes, long ageSeconds) throws DohException {
    Message message = parse(server, bytes);
    check(server, message);
    List<Record> records = message.getSection(Section.ANSWER);
    Name owner = name;
    long ttl = MAX_TTL;
    for (int aliases = 0; ; aliases++) {
      CNAMERecord alias = alias(records, owner);
      if (alias == null) {
        break;
      }
      if (aliases == MAX_ALIASES) {
        throw server.failure(
            Reason.MALFORMED,
            "sent more than %d aliases (CNAME) for %s, perhaps a loop".formatted(MAX_ALIASES, name),
            null);
      }
      ttl = Math.min(ttl, ttl(alias));
      owner = alias.getTarget();
    }
    List<Record> found = new ArrayList<>();
    for (Record each : records) {
      if (is(each, type, owner) && found.size() < MAX_RECORDS) {
        found.add(each);
        ttl = Math.min(ttl, ttl(each));
      }
    }
    return new Answer(List.copyOf(found), Math.max(0, ttl - ageSeconds));
  }

  private Message parse(DohServer server, byte[] bytes) throws DohException {
    try {
      return new Message(bytes);
    } catch (IOException | RuntimeException e) {
      throw server.failure(
          Reason.MALFORMED,
          "sent %,d bytes that are no DNS message: %s".formatted(bytes.length, e.getMessage()),
          e);
    }
  }

  private void check(DohServer server, Message message) throws DohException {
    Header header = message.getHeader();
    if (!header.getFlag(Flags.QR) || header.getOpcode() != Opcode.QUERY) {
      throw server.failure(
          Reason.MALFORMED, "sent a DNS message that is no response to a query", null);
    }
    int code = message.getRcode();
    if (code != Rcode.NOERROR && code != Rcode.NXDOMAIN) {
      throw server.failure(
          Reason.RESPONSE_CODE,
          "answered %s when asked for %s of %s"
              .formatted(Rcode.string(code), Type.string(type), name),
          null);
    }
    List<Record> questions = message.getSection(Section.QUESTION);
    Record question = questions.size() == 1 ? questions.getFirst() : null;
    if (question == null || !is(question, type, name)) {
      throw server.failure(
          Reason.OTHER_QUESTION,
          "answers another question than the %s of %s: %s"
              .formatted(Type.string(type), name, question == null ? "none, or several" : question),
          null);
    }
    if (header.getFlag(Flags.TC)) {
      throw server.failure(
          Reason.TRUNCATED,
          "cut its answer short (TC) when asked for %s of %s".formatted(Type.string(type), name),
          null);
    }
  }

  private static @Nullable CNAMERecord alias(List<Record> records, Name owner) {
    for (Record each : records) {
      if (each instanceof CNAMERecord alias && is(alias, Type.CNAME, owner)) {
        return alias;
      }
    }
    return null;
  }

  private static boolean is(Record record, int type, Name owner) {
    return record.getType() == type
        && record.getDClass() == DClass.IN
        && record.getName().equals(owner);
  }

  private static long ttl(Record record) {
    long ttl = record.getTTL();
    return ttl > MAX_TTL ? 0 : ttl;
  }
}
