package heddle.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each example does what it says, against a server of this test. */
@Timeout(60)
final class ExamplesTest {
  private static final int DOWNLOAD_BYTES = 3_000_000;

  private final CountDownLatch slowMayEnd = new CountDownLatch(1);

  @Test
  void aBlockingGetPrintsStatusAndContent() throws Exception {
    try (HttpServer server = server()) {
      assertEquals("200 OK Hello!\n", Printed.by(() -> new BlockingGet()
          .main(new String[] {base(server) + "/hello"})));
    }
  }

  @Test
  void aCallOfTheJdksIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] hello = {base(server) + "/hello"};
      assertEquals("200 Hello!\n", Printed.by(() -> new JdkBefore().main(hello)));
      assertEquals("200 Hello!\n", Printed.by(() -> new JdkAfter().main(hello)));
    }
  }

  @Test
  void aCallOfOkHttpsIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] hello = {base(server) + "/hello"};
      assertEquals("200 Hello!\n", Printed.by(() -> new OkHttpBefore().main(hello)));
      assertEquals("200 Hello!\n", Printed.by(() -> new OkHttpAfter().main(hello)));
    }
  }

  @Test
  void aRequestOfApachesIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] hello = {base(server) + "/hello"};
      assertEquals("200 Hello!\n", Printed.by(() -> new Apache5Before().main(hello)));
      assertEquals("200 Hello!\n", Printed.by(() -> new Apache5After().main(hello)));
    }
  }

  @Test
  void aThousandGetsAreAllAnswered() throws Exception {
    String printed = Printed.by(() -> new ThousandGets().main());
    assertTrue(printed.matches("1000 greetings over \\d+ connections\n"), printed);
  }

  @Test
  void anOpenLoadIsHeldAgainstItsGoals() throws Exception {
    try (HttpServer server = server()) {
      String printed =
          Printed.by(() -> new GoalsOfALoad().main(new String[] {base(server) + "/hello"}));
      assertTrue(printed.contains("errors<1% met: 0.000%"), printed);
      assertTrue(printed.contains("p99<1m met: "), printed);
    }
  }

  @Test
  void postedJsonComesBackWithItsMediaType() throws Exception {
    try (HttpServer server = server()) {
      assertEquals(
          "application/json {\"item\":\"shuttle\",\"count\":2}\n",
          Printed.by(() -> new PostJson().main(new String[] {base(server) + "/echo"})));
    }
  }

  @Test
  void asyncCallsAreCombinedAndTheSlowOneIsCancelled() throws Exception {
    try (HttpServer server = server()) {
      assertEquals("Hello! Hello!\ncancelled: true\n", Printed.by(() -> new AsyncCalls()
          .main(new String[] {base(server)})));
      slowMayEnd.countDown();
    }
  }

  @Test
  void aDownloadIsInTheFileToTheLastByte(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("content");
    try (HttpServer server = server()) {
      assertEquals(DOWNLOAD_BYTES + " bytes are in content\n", Printed.by(() -> new DownloadToFile()
          .main(new String[] {base(server) + "/bytes", file.toString()})));
    }
    assertArrayEquals(content(), Files.readAllBytes(file));
  }

  @Test
  void anObjectOfS3IsTheSameBeforeAndAfter() throws Exception {
    try (HttpServer server = server()) {
      assertEquals("Hello!\n", Printed.by(() -> new AwsBefore().main(new String[] {base(server)})));
      assertEquals("Hello!\n", Printed.by(() -> new AwsAfter().main(new String[] {base(server)})));
    }
  }

  @Test
  void anInterfaceOfFeignsIsCalledBeforeAndAfter() throws Exception {
    try (HttpServer server = server()) {
      assertEquals(
          "Hello!\n", Printed.by(() -> new FeignBefore().main(new String[] {base(server)})));
      assertEquals(
          "Hello!\n", Printed.by(() -> new FeignAfter().main(new String[] {base(server)})));
    }
  }

  @Test
  void aCallOfSpringsIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] hello = {base(server) + "/hello"};
      assertEquals("Hello!\n", Printed.by(() -> new SpringBefore().main(hello)));
      assertEquals("Hello!\n", Printed.by(() -> new SpringAfter().main(hello)));
    }
  }

  @Test
  void aCallOfLangChain4jsIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] hello = {base(server) + "/hello"};
      assertEquals("Hello!\n", Printed.by(() -> new LangChain4jBefore().main(hello)));
      assertEquals("Hello!\n", Printed.by(() -> new LangChain4jAfter().main(hello)));
    }
  }

  @Test
  void aSpanIsExportedBeforeAndAfter() throws Exception {
    try (HttpServer server = server()) {
      String[] collector = {base(server)};
      assertEquals("exported: true\n", Printed.by(() -> new OtlpBefore().main(collector)));
      assertEquals("exported: true\n", Printed.by(() -> new OtlpAfter().main(collector)));
    }
  }

  @Test
  void elasticsearchIsPingedBeforeAndAfter() throws Exception {
    try (HttpServer server = server()) {
      String[] node = {base(server)};
      assertEquals("there: true\n", Printed.by(() -> new ElasticsearchBefore().main(node)));
      assertEquals("there: true\n", Printed.by(() -> new ElasticsearchAfter().main(node)));
    }
  }

  @Test
  void theSmallServerAnswersItsRoutes() throws Exception {
    try (HttpServer server = SmallServer.start(0);
        HttpClient client = HttpClient.create()) {
      assertEquals("200 OK Hello!", answer(client, Request.get(base(server) + "/greeting")));
      String orders = base(server) + "/orders";
      assertEquals(
          "201 Created {\"taken\":5}", answer(client, Request.post(orders, Body.of("loom!"))));
      assertEquals("405 Method Not Allowed ", answer(client, Request.get(orders)));
      assertEquals("404 Not Found ", answer(client, Request.get(base(server) + "/")));
    }
  }

  private static String answer(HttpClient client, Request request) throws IOException {
    try (Response response = client.send(request)) {
      return response.status() + " " + response.string();
    }
  }

  private HttpServer server() throws IOException {
    return HttpServer.builder()
        .handler(request -> switch (request.path()) {
          case "/hello", "/looms/heddle", "/v1/traces" -> Response.ok("Hello!");
          case "/" ->
            Response.builder(Status.OK)
                .header("X-Elastic-Product", "Elasticsearch")
                .build();
          case "/echo" -> {
            byte[] content = request.body().bytes();
            yield Response.ok(Body.of(content, request.body().mediaType()));
          }
          case "/bytes" -> Response.ok(Body.of(content()));
          default -> {
            slowMayEnd.await();
            yield Response.of(Status.NO_CONTENT);
          }
        })
        .start();
  }

  private static byte[] content() {
    byte[] content = new byte[DOWNLOAD_BYTES];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * 31 >> 3);
    }
    return content;
  }

  private static String base(HttpServer server) {
    return "http://127.0.0.1:" + server.port();
  }
}
