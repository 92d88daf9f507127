package heddle.bench.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.ClientDriver.Exchange;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class ClientsTest {

  private static final DriverRequest HELLO =
      DriverRequest.get(URI.create("http://localhost:8080/hello"));

  private final Clients<String> clients = new Clients<>();

  /** A line per exchange. */
  private final List<String> sent = new ArrayList<>();

  @Test
  void everyConnectionIsOpenedByOneExchangeWithAnyAnswer() throws Exception {
    start(Wire.http2(2, 10), Profile.TUNED);
    clients.blocking(HELLO, this::exchange).exchange();
    assertEquals(List.of("a /active", "b /active", "a /hello"), sent);
  }

  @Test
  void everyConnectionIsOpenedByOneAsynchronousExchangeWithAnyAnswer() throws Exception {
    start(Wire.http2(2, 10), Profile.TUNED);
    clients.async(HELLO, this::asyncExchange).await();
    assertEquals(List.of("a /active", "b /active", "a /hello"), sent);
  }

  @Test
  void connectionThatCannotBeOpenedFails() throws Exception {
    start(Wire.http2(2, 10), Profile.TUNED);
    Exchange refused = () -> {
      throw new IOException("refused");
    };
    IOException thrown = assertThrows(
        IOException.class,
        () -> clients.blocking(
            HELLO, (client, request) -> client.equals("b") ? refused : exchange(client, request)));
    assertEquals("refused", thrown.getMessage());
    assertEquals(List.of("a /active"), sent);
  }

  @Test
  void asynchronousConnectionThatCannotBeOpenedFails() throws Exception {
    start(Wire.http2(2, 10), Profile.TUNED);
    AsyncExchange refused = completion -> completion.failed(new IOException("refused"));
    ExecutionException thrown = assertThrows(
        ExecutionException.class,
        () -> clients.async(
            HELLO,
            (client, request) -> client.equals("b") ? refused : asyncExchange(client, request)));
    assertEquals("refused", thrown.getCause().getMessage());
    assertEquals(List.of("a /active"), sent);
  }

  @Test
  void oneClientHasTheWholeLoadOverHttp1() throws Exception {
    start(Wire.http1(2), Profile.TUNED);
    clients.blocking(HELLO, this::exchange).exchange();
    assertEquals(List.of("a /hello"), sent);
  }

  @Test
  void oneClientHasTheWholeLoadWithDefaults() throws Exception {
    start(Wire.http2(2, 10), Profile.DEFAULTS);
    clients.blocking(HELLO, this::exchange).exchange();
    assertEquals(List.of("a /active", "a /hello"), sent);
  }

  @Test
  void noClientMeansThatTheDriverWasNotStarted() {
    assertThrows(IllegalStateException.class, () -> clients.blocking(HELLO, this::exchange));
    assertThrows(IllegalStateException.class, () -> clients.async(HELLO, this::asyncExchange));
  }

  private void start(Wire wire, Profile profile) throws Exception {
    Iterator<String> names = List.of("a", "b").iterator();
    clients.start(new DriverConfig(HELLO.uri(), wire, profile), names::next);
  }

  private Exchange exchange(String client, DriverRequest request) {
    return () -> answer(client, request);
  }

  private AsyncExchange asyncExchange(String client, DriverRequest request) {
    return completion -> completion.answered(answer(client, request));
  }

  private Answer answer(String client, DriverRequest request) {
    sent.add(client + " " + request.uri().getPath());
    return new Answer(404, 9);
  }
}
