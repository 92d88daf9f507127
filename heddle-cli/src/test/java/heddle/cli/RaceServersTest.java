package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.account.Bookkeeper;
import heddle.bench.account.ServerCounts;
import heddle.bench.coldstart.ColdStarts;
import heddle.bench.contender.Jvm;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Wire;
import heddle.bench.result.Figure;
import heddle.bench.server.Http2Server;
import heddle.bench.server.SearchNode;
import heddle.bench.server.ServerCommand;
import heddle.bench.server.ServerSpec;
import heddle.bench.server.ServerSpec.Program;
import heddle.bench.server.Servers;
import heddle.bench.server.Servers.Endpoint;
import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers of a race, which are this module's own command in processes of their own. */
final class RaceServersTest {

  private static final ServerSpec VIRTUAL = ServerSpec.of(Program.HEDDLE, Protocol.HTTP_1_1, false);

  private static final ServerSpec POOL =
      new ServerSpec(Program.JDK, Protocol.HTTP_1_1, false, "pool:3", Profile.TUNED, 1);

  @TempDir
  private Path folder;

  @AutoClose
  private Servers servers;

  @BeforeEach
  void open() throws IOException {
    ServerCommand heddle = ServerCommand.HEDDLE;
    servers = new Servers(
        Jvm.server(heddle, Path.of("."), heddle.arguments()),
        Jvm.server(heddle, Path.of("."), heddle.tlsArguments()),
        Http2Server.HEDDLE,
        List.of(),
        folder,
        SearchNode.of(folder, _ -> {}));
  }

  @Test
  void eachKindOfServerIsAProcessThatCanBeEndedAlone() throws Exception {
    Endpoint virtual = servers.endpoint(VIRTUAL);
    Endpoint pool = servers.endpoint(POOL);
    assertEquals(virtual, servers.endpoint(Protocol.HTTP_2, false));
    assertEquals("heddle serve", virtual.server());
    assertEquals("the JDK's server --threads pool:3", pool.server());
    assertNotEquals(virtual.base(), pool.base());
    assertEquals("Hello!", get(pool.base(), "/hello"));
    servers.close(POOL);
    assertThrows(IOException.class, () -> get(pool.base(), "/hello"));
    assertEquals("Hello!", get(virtual.base(), "/hello"));
    assertTrue(servers.areAlive());
    assertEquals("Hello!", get(servers.endpoint(POOL).base(), "/hello"));
  }

  @Test
  void aFreshJvmTrustsTheServerOverTls() throws Exception {
    Endpoint tls = servers.endpoint(ServerSpec.of(Program.JDK, Protocol.HTTP_1_1, true));
    ColdStarts cold = new ColdStarts(
        System.getProperty("java.class.path"), "heddle", Profile.DEFAULTS, Jvm.FLAGS, List.of());
    Wire trusting = Wire.http1(1).withTrust(tls.trust());
    assertEquals(1.0, cold.run(tls.base().resolve("/hello"), trusting).of(Figure.ANSWERED));
  }

  @Test
  void copiesCountTogether() throws Exception {
    Endpoint two = servers.endpoint(
        new ServerSpec(Program.HEDDLE, Protocol.HTTP_1_1, false, "virtual", Profile.TUNED, 2));
    assertEquals(2, two.bases().stream().distinct().count());
    Bookkeeper bookkeeper = new Bookkeeper();
    bookkeeper.look(two);
    get(two.bases().get(0), "/hello");
    get(two.bases().get(1), "/hello");
    get(two.bases().get(1), "/hello");
    ServerCounts counts = bookkeeper.look(two);
    assertEquals(3, counts.figures().get(Figure.SERVER_REQUESTS));
    // Never at the same time.
    assertTrue(counts.figures().get(Figure.SERVER_PEAK) < 2, counts::toString);
    assertTrue(counts.figures().get(Figure.SERVER_COMMITTED_HEAP) > 2 << 20);
  }

  @Test
  void somethingStandsInForASearchEngineThatCannotBeHad() throws Exception {
    Endpoint node = servers.endpoint(ServerSpec.of(Program.SEARCH, Protocol.HTTP_1_1, false));
    assertTrue(node.server().startsWith("a stand-in for OpenSearch ("), node.server());
    assertTrue(node.server().contains("mvnw"), node.server());
    Bookkeeper bookkeeper = new Bookkeeper();
    bookkeeper.look(node);
    Request document = Request.post(
        node.base() + "/" + SearchNode.INDEX + "/_doc?refresh=wait_for",
        Body.of("{}", MediaType.APPLICATION_JSON));
    try (HttpClient client = HttpClient.create();
        Response response = client.send(document)) {
      assertEquals(201, response.status().code());
    }
    assertEquals(1, bookkeeper.look(node).figures().get(Figure.SERVER_REQUESTS));
  }

  @Test
  void whatNoProgramIsIsRefused() {
    assertRefused(Program.JDK, Protocol.HTTP_2, false, "virtual", "HTTP/1.1 only");
    assertRefused(Program.NGHTTPD, Protocol.HTTP_1_1, false, "virtual", "HTTP/2 only");
    assertRefused(Program.NGHTTPD, Protocol.HTTP_2, false, "pool:2", "no threads");
    assertRefused(Program.SEARCH, Protocol.HTTP_1_1, true, "virtual", "cleartext");
    assertRefused(Program.HEDDLE, Protocol.HTTP_1_1, false, "pool:0", "pool:N");
  }

  private static void assertRefused(
      Program program, Protocol protocol, boolean tls, String threads, String why) {
    Exception refusal = assertThrows(
        IllegalArgumentException.class,
        () -> new ServerSpec(program, protocol, tls, threads, Profile.TUNED, 1));
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains(why), message);
  }

  private static String get(URI base, String path) throws IOException {
    try (HttpClient client = HttpClient.create();
        Response response = client.send(Request.get(base + path))) {
      return response.string();
    }
  }
}
