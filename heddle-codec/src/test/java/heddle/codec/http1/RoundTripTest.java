package heddle.codec.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.codec.Event;
import heddle.codec.Role;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Limits;
import heddle.http.Method;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What was parsed, encoded by the other role's session and parsed again, is the same. */
class RoundTripTest {
  @TestFactory
  Stream<DynamicTest> requestsEncodedBackParseEqual() {
    return ValidMessages.all().stream()
        .filter(each -> each.asked().isEmpty())
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
          Conversation first = Conversation.server().receives(each.input());
          Conversation again = Conversation.server().receives(encodeRequests(first.events));
          assertEquals(essence(first.transcript()), essence(again.transcript()));
        }));
  }

  @TestFactory
  Stream<DynamicTest> responsesEncodedBackParseEqual() {
    return ValidMessages.all().stream()
        .filter(each -> !each.asked().isEmpty())
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
          Method[] asked = each.asked().toArray(new Method[0]);
          Conversation first = Conversation.client(asked).receives(each.input());
          if (each.closes()) {
            first.closed();
          }
          byte[] encoded = encodeResponses(asked[0], first.events);
          Conversation again = Conversation.client(asked).receives(encoded);
          assertEquals(essence(first.transcript()), essence(again.transcript()));
        }));
  }

  /** All but the version and how the message and the connection are framed, which is our own. */
  private static String essence(List<String> transcript) {
    List<String> kept = new ArrayList<>();
    for (String line : transcript) {
      String lower = line.toLowerCase(Locale.ROOT);
      boolean framing = lower.startsWith("content-length:")
          || lower.startsWith("transfer-encoding:")
          || lower.startsWith("connection:")
          || lower.startsWith("host:")
          || lower.startsWith("waits")
          || lower.equals("closes");
      if (!framing) {
        kept.add(line.replaceFirst(" HTTP/1\\.[01]$", ""));
      }
    }
    return String.join("\n", kept);
  }

  private static byte[] encodeRequests(List<Event> events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Http1Session client = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i) instanceof Event.RequestHead head) {
        String host = head.headers().contains(HeaderName.HOST) ? "unused" : "a";
        Headers fields =
            head.headers().toBuilder().remove(HeaderName.CONNECTION).build();
        client = new Http1Session(Role.CLIENT, Limits.DEFAULTS);
        put(
            out,
            client.requestHead(
                head.method(),
                head.target(),
                host,
                withoutLength(fields),
                length(head.hasBody(), fields)));
        encodeContent(out, client, events, i + 1);
      }
    }
    return out.toByteArray();
  }

  private static byte[] encodeResponses(Method asked, List<Event> events) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Http1Session server = new Http1Session(Role.SERVER, Limits.DEFAULTS);
    String target = asked == Method.CONNECT ? "a:1" : "/";
    String request = asked + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    server.next(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)), 0);
    for (int i = 0; i < events.size(); i++) {
      switch (events.get(i)) {
        case Event.Interim interim ->
          put(out, server.interimHead(interim.status(), interim.headers()));
        case Event.ResponseHead head -> {
          Headers fields = withoutLength(head.headers());
          put(
              out,
              server.responseHead(
                  head.status(), fields, length(head.hasBody(), head.headers()), false));
          encodeContent(out, server, events, i + 1);
        }
        default -> {}
      }
    }
    return out.toByteArray();
  }

  private static long length(boolean hasBody, Headers headers) {
    String length = headers.first(HeaderName.CONTENT_LENGTH);
    if (!hasBody) {
      return Http1Session.NO_BODY;
    }
    return length == null ? Http1Session.UNKNOWN : Long.parseLong(length);
  }

  private static Headers withoutLength(Headers headers) {
    return headers.toBuilder()
        .remove(HeaderName.CONTENT_LENGTH)
        .remove(HeaderName.TRANSFER_ENCODING)
        .build();
  }

  private static void encodeContent(
      ByteArrayOutputStream out, Http1Session session, List<Event> events, int from) {
    for (int i = from; i < events.size(); i++) {
      switch (events.get(i)) {
        case Event.Data data -> {
          for (ByteBuffer buffer : session.data(data.bytes().duplicate())) {
            put(out, buffer);
          }
        }
        case Event.End end -> {
          put(out, session.end(end.trailers()));
          return;
        }
        default -> {
          return;
        }
      }
    }
  }

  private static void put(ByteArrayOutputStream out, ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    out.writeBytes(bytes);
  }
}
