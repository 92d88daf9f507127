package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.bench.contender.Contender;
import heddle.bench.contender.ToolContender;
import heddle.bench.process.Cores;
import heddle.bench.race.WarmUps.Due;
import heddle.bench.tool.Wrk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

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
}
