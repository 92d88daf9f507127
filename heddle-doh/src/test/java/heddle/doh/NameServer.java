package heddle.doh;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.server.spi.Handler;
import heddle.testkit.mock.TestIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Tokenizer;
import org.xbill.DNS.Type;

/** A DNS server over HTTPS on the loopback address, with records that tests give it. */
final class NameServer implements AutoCloseable {
  static final MediaType DNS_MESSAGE = MediaType.parse("application/dns-message");

  private static final TestIdentity IDENTITY = identity();

  /** By name and type; a name without records does not exist. */
  private final Map<String, List<Record>> records = new ConcurrentHashMap<>();

  /** The requests that have come, with the messages in them. */
  final Collection<Request> requests = new ConcurrentLinkedQueue<>();

  final Collection<Message> queries = new ConcurrentLinkedQueue<>();
  private final HttpServer server;

  /** Answers by the records unless a test replaces it. */
  volatile Handler handler = this::answer;

  NameServer() throws IOException {
    server = HttpServer.builder()
        .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .tls(IDENTITY.server())
        .handler(request -> handler.handle(request))
        .start();
  }

  private static TestIdentity identity() {
    try {
      return TestIdentity.forNames("localhost", "dns.test", "shop.test");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static TestIdentity tls() {
    return IDENTITY;
  }

  int port() {
    return server.port();
  }

  String url(String host, String path) {
    return "https://" + host + ":" + port() + path;
  }

  /** Adds a record, such as {@code ("a.test", Type.A, 60, "192.0.2.1")}. */
  NameServer add(String name, int type, long ttl, String data) throws IOException {
    records
        .computeIfAbsent(name + "." + Type.string(type), key -> new ArrayList<>())
        .add(record(name, type, ttl, data));
    return this;
  }

  static Record record(String name, int type, long ttl, String data) throws IOException {
    return Record.fromString(
        Name.fromString(name + "."), type, DClass.IN, ttl, new Tokenizer(data), Name.root);
  }

  /** The message of a request. */
  static Message query(Request request) throws IOException {
    if (request.method().equals(Method.POST)) {
      return new Message(request.body().bytes());
    }
    String query = Objects.requireNonNull(request.query());
    return new Message(Base64.getUrlDecoder().decode(query.replaceFirst("^.*dns=", "")));
  }

  /** A response to a query, without records. */
  static Message response(Message query, int rcode) {
    Message response = new Message(query.getHeader().getID());
    response.getHeader().setFlag(Flags.QR);
    response.getHeader().setRcode(rcode);
    response.addRecord(query.getQuestion(), Section.QUESTION);
    return response;
  }

  static Response ok(byte[] message) {
    return Response.builder(Status.OK).body(Body.of(message, DNS_MESSAGE)).build();
  }

  Response answer(Request request) throws IOException {
    Message query = query(request);
    requests.add(request);
    queries.add(query);
    return ok(message(query).toWire());
  }

  /** The answer by the records; names that have none of any type do not exist. */
  Message message(Message query) {
    String name = query.getQuestion().getName().toString(true);
    String type = Type.string(query.getQuestion().getType());
    boolean exists = records.keySet().stream().anyMatch(key -> key.startsWith(name + "."));
    Message response = response(query, exists ? Rcode.NOERROR : Rcode.NXDOMAIN);
    records
        .getOrDefault(name + "." + type, List.of())
        .forEach(each -> response.addRecord(each, Section.ANSWER));
    return response;
  }

  @Override
  public void close() {
    server.close();
  }
}
