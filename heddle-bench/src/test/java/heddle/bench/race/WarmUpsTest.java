package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import heddle.bench.contender.Contender;
import heddle.bench.contender.Entrant;
import heddle.bench.contender.JvmContender;
import heddle.bench.contender.ToolContender;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Trust;
import heddle.bench.driver.Wire;
import heddle.bench.experiment.Ask;
import heddle.bench.experiment.Cell;
import heddle.bench.race.WarmUps.Due;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.tool.Wrk;
import heddle.bench.worker.BlockingTestDriver;
import heddle.load.Pace;
import heddle.load.cluster.process.Cores;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpsTest {

  private static final Due NOTHING = new Due(false, false);
  private static final Due REHEARSAL = new Due(false, true);

  private final AtomicLong now = new AtomicLong(-Duration.ofDays(1).toNanos());
  private final WarmUps warmUps =
      new WarmUps(new Watch(Cores.ofThisMachine(), true, true), now::get);
  private final Contender client = contender();

  private static Contender contender() {
    return new ToolContender(new Wrk(), List.of(), Path.of("."));
  }

  private void pass(int seconds) {
    now.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void whoeverHasWaitedLongForItsFirstRunGetsWarmOnceMore() {
    warmUps.warm(client);
    pass(16);
    assertEquals(new Due(true, true), warmUps.due(client, true));
    assertEquals(NOTHING, warmUps.due(client, true));
  }

  @Test
  void whoeverRunsSoonAfterItsWarmUpIsWarm() {
    warmUps.warm(client);
    pass(14);
    assertEquals(REHEARSAL, warmUps.due(client, true));
    pass(100);
    assertEquals(NOTHING, warmUps.due(client, true));
  }

  @Test
  void oneRunIsRehearsedInTheLifeOfAJvm() {
    warmUps.warm(client);
    assertEquals(REHEARSAL, warmUps.due(client, true));
    warmUps.warm(client);
    assertEquals(NOTHING, warmUps.due(client, true));
    warmUps.forget(client);
    warmUps.warm(client);
    assertEquals(REHEARSAL, warmUps.due(client, true));
  }

  @Test
  void everyClientHasItsOwnTime() {
    Contender other = contender();
    warmUps.warm(client);
    pass(16);
    warmUps.warm(other);
    assertEquals(REHEARSAL, warmUps.due(other, true));
    assertEquals(new Due(true, true), warmUps.due(client, true));
  }

  @Test
  void nothingGoesBeforeRunsInWhichItCouldNotBeSeen() {
    warmUps.warm(client);
    pass(60);
    assertEquals(NOTHING, warmUps.due(client, false));
  }

  @Test
  void clientIsAskedForWhatIsDueAndForNothingElse(@TempDir Path home) throws Exception {
    AtomicLong requests = new AtomicLong();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.createContext("/", exchange -> {
      requests.incrementAndGet();
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    server.start();
    Path folder = DriverFolder.install(home, "test", BlockingTestDriver.class);
    Entrant test = Entrant.of("test", Profile.TUNED);
    try (JvmContender jvm =
        new JvmContender(test, folder + "/*", new Cores(List.of(), List.of()))) {
      jvm.start(List.of(), () -> {});
      Cell cell = new Cell("small", false, Wire.http1(2), Ask.get("/", 0), new Pace.Closed(2), 0);
      URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      Endpoint endpoint =
          new Endpoint(List.of(base), new Trust.Default(), "the JDK's", Counting.NOTHING);
      Entry entry = new Entry(jvm, cell, endpoint);
      Windows windows = Windows.scaled(0.02);
      warmUps.warmUp(entry, windows, () -> {});
      assertTrue(requests.getAndSet(0) > 0);
      assertTrue(warmUps.freshen(entry, windows, () -> {}));
      assertTrue(requests.getAndSet(0) > 0, "the first run in a JVM is rehearsed");
      warmUps.warm(jvm);
      assertFalse(warmUps.freshen(entry, windows, () -> {}));
      assertEquals(0, requests.get());
      warmUps.warm(jvm);
      pass(16);
      assertTrue(warmUps.freshen(entry, windows, () -> {}));
      assertTrue(requests.get() > 0, "who has waited long gets warm once more");
    } finally {
      server.stop(0);
    }
  }
}
