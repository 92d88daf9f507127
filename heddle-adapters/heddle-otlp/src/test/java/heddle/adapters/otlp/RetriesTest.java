package heddle.adapters.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.RetryPolicy.Attempt;
import heddle.client.settings.RetryPolicy.Decision;
import heddle.client.settings.RetryPolicy.Repeat;
import heddle.http.Headers;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages are sent again by the exporter's policy. */
@Timeout(60)
final class RetriesTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private static RetryPolicy.RetryPolicyBuilder quick() {
    return RetryPolicy.builder()
        .setMaxAttempts(3)
        .setInitialBackoff(Duration.ofMillis(1))
        .setMaxBackoff(Duration.ofMillis(2))
        .setBackoffMultiplier(1.5);
  }

  private Object outcome(@Nullable RetryPolicy policy) throws Exception {
    HttpSender sender = new HeddleHttpSender(new Config(server.url("/")).retries(policy));
    CompletableFuture<Object> told = new CompletableFuture<>();
    sender.send(Config.message("spans"), told::complete, told::complete);
    try {
      return told.get();
    } finally {
      sender.shutdown();
    }
  }

  private int status(@Nullable RetryPolicy policy) throws Exception {
    return assertInstanceOf(HttpResponse.class, outcome(policy)).getStatusCode();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void retryableStatusIsFollowedByAnotherAttemptWithTheSameContent(int status) throws Exception {
    server.enqueue(MockResponse.of(status));
    server.enqueue(MockResponse.of(200));
    assertEquals(200, status(quick().build()));
    assertEquals("spans", server.takeRequest().text());
    assertEquals("spans", server.takeRequest().text());
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 500, 501})
  void otherStatusIsTheAnswer(int status) throws Exception {
    server.enqueue(MockResponse.of(status));
    assertEquals(status, status(quick().build()));
    assertEquals(1, server.requests().size());
  }

  @Test
  void attemptsEndWhenThePolicySaysSo() throws Exception {
    server.answer("/", MockResponse.of(503));
    assertEquals(503, status(quick().build()));
    assertEquals(3, server.requests().size());
  }

  @Test
  void withoutAPolicyThereIsOneAttempt() throws Exception {
    server.answer("/", MockResponse.of(503));
    assertEquals(503, status(null));
    assertEquals(1, server.requests().size());
  }

  @Test
  void lostAnswerIsFollowedByAnotherAttempt() throws Exception {
    server.enqueue(MockResponse.ok("lost").with(MockFault.cutInHead(5)));
    server.enqueue(MockResponse.of(200));
    assertEquals(200, status(quick().build()));
  }

  @Test
  void exceptionIsJudgedByThePredicate() throws Exception {
    server.enqueue(MockResponse.ok("lost").with(MockFault.cutInHead(5)));
    assertInstanceOf(
        IOException.class,
        outcome(quick().setRetryExceptionPredicate(failure -> false).build()));
    assertEquals(1, server.requests().size());
  }

  // ---- the policy itself

  private static Attempt attempt(int number, @Nullable Status status, @Nullable IOException failure)
      throws IOException {
    return new Attempt(
        Request.get("http://collector.invalid/"),
        number,
        status,
        Headers.empty(),
        failure,
        Phase.AWAIT_HEAD,
        Sent.YES,
        false,
        false,
        false,
        false,
        0,
        status == null ? 0 : 1,
        0,
        Duration.ZERO,
        new Random(number));
  }

  private static long millis(Decision decision) {
    return assertInstanceOf(Repeat.class, decision).delay().toMillis();
  }

  private static void assertWithin(long least, long most, long value) {
    assertTrue(value >= least && value <= most, value + " is not from " + least + " to " + most);
  }

  @Test
  void delaysGrowByTheMultiplierUpToTheMost() throws Exception {
    GivenRetries retries = new GivenRetries(RetryPolicy.builder()
        .setMaxAttempts(5)
        .setInitialBackoff(Duration.ofSeconds(1))
        .setMaxBackoff(Duration.ofSeconds(3))
        .setBackoffMultiplier(2)
        .build());
    assertWithin(800, 1200, millis(retries.decide(attempt(1, Status.of(503), null))));
    assertWithin(1600, 2400, millis(retries.decide(attempt(2, Status.of(503), null))));
    assertWithin(2400, 3600, millis(retries.decide(attempt(3, Status.of(503), null))));
    assertWithin(2400, 3600, millis(retries.decide(attempt(4, Status.of(503), null))));
    assertEquals(Decision.stop(), retries.decide(attempt(5, Status.of(503), null)));
  }

  @Test
  void failuresOfTlsAreNotTriedAgainUnlessThePredicateSaysSo() throws Exception {
    IOException untrusted = new SSLHandshakeException("unknown issuer");
    assertEquals(
        Decision.stop(), new GivenRetries(quick().build()).decide(attempt(1, null, untrusted)));
    assertInstanceOf(
        Repeat.class,
        new GivenRetries(quick().setRetryExceptionPredicate(failure -> true).build())
            .decide(attempt(1, null, untrusted)));
  }
}
