package heddle.client.dial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.NameCacheLimits;
import heddle.http.syntax.Host;
import heddle.testkit.SimNetwork;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.names.Resolver;
import heddle.transport.names.Resolver.ResolvedHost;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is remembered of names, for how long, and what a broken name service may not break. */
@Timeout(60)
class CachingResolverTest {
  private static final InetAddress FIRST = Host.address("192.0.2.1");

  @AutoClose
  private final SimNetwork network = SimNetwork.builder().virtualTime().build();

  private final AtomicInteger asked = new AtomicInteger();

  /** A name service whose answers hold for so long. */
  private Resolver service(@Nullable Duration ttl) {
    return new Resolver() {
      @Override
      public List<InetAddress> resolve(String host, Deadline deadline) {
        throw new AssertionError("the answer without its time is not asked for");
      }

      @Override
      public ResolvedHost lookUp(String host, Deadline deadline) {
        asked.incrementAndGet();
        return new ResolvedHost(List.of(FIRST), ttl);
      }
    };
  }

  private CachingResolver caching(Resolver source) {
    return caching(source, NameCacheLimits.DEFAULTS);
  }

  private CachingResolver caching(Resolver source, NameCacheLimits limits) {
    return new CachingResolver(source, limits, network.loop());
  }

  private Deadline minute() {
    return network.after(Duration.ofMinutes(1));
  }

  private <T extends IOException> T fails(Class<T> type, CachingResolver resolver) {
    return assertThrows(type, () -> resolver.lookUp("a.test", minute()));
  }

  /** Asserts that an answer is used up to a time and then asked for again. */
  private void assertRemembered(Duration ttl, Duration forSoLong) throws Exception {
    CachingResolver resolver = caching(service(ttl));
    asked.set(0);
    network.run(() -> {
      ResolvedHost first = resolver.lookUp("a.test", minute());
      network.sleep(forSoLong.minusMillis(1));
      assertSame(first, resolver.lookUp("A.Test", minute()));
      assertEquals(1, asked.get());
      network.sleep(Duration.ofMillis(1));
      assertNotSame(first, resolver.lookUp("a.test", minute()));
      assertEquals(2, asked.get());
    });
  }

  @Test
  void whoWaitsIsWokenEvenIfThereIsNoMemoryToRememberTheAnswer() throws Exception {
    EventLoop loop = network.loop();
    EventLoop withoutMemory = (EventLoop) Proxy.newProxyInstance(
        EventLoop.class.getClassLoader(),
        new Class<?>[] {EventLoop.class},
        (self, method, arguments) -> {
          if (Thread.currentThread().getName().equals("heddle-lookup")
              && method.getName().equals("clock")) {
            throw new OutOfMemoryError("injected");
          }
          return method.invoke(loop, arguments);
        });
    CachingResolver resolver =
        new CachingResolver(service(null), NameCacheLimits.DEFAULTS, withoutMemory);
    network.run(() -> assertEquals(List.of(FIRST), resolver.resolve("a.test", Deadline.never())));
  }

  @Test
  void answerIsUsedForItsTimeToLive() throws Exception {
    assertRemembered(Duration.ofSeconds(20), Duration.ofSeconds(20));
  }

  @Test
  void timeToLiveHasBounds() throws Exception {
    assertRemembered(Duration.ZERO, Duration.ofSeconds(1));
    assertRemembered(Duration.ofDays(7), Duration.ofMinutes(5));
  }

  @Test
  void answerWithoutTimeToLiveHoldsHalfAMinute() throws Exception {
    assertRemembered(null, Duration.ofSeconds(30));
  }

  @Test
  void nameServiceMayForbidToRememberWhereTheLimitsLetIt() throws Exception {
    CachingResolver resolver = caching(
        service(Duration.ZERO), NameCacheLimits.builder().minTtl(Duration.ZERO).build());
    network.run(() -> {
      resolver.lookUp("a.test", minute());
      resolver.lookUp("a.test", minute());
    });
    assertEquals(2, asked.get());
    assertEquals(0, resolver.answers.size());
  }

  @Test
  void leastRecentlyAskedNameMakesRoom() throws Exception {
    CachingResolver resolver =
        caching(service(null), NameCacheLimits.builder().maxEntries(2).build());
    network.run(() -> {
      resolver.lookUp("a.test", minute());
      resolver.lookUp("b.test", minute());
      resolver.lookUp("a.test", minute());
      resolver.lookUp("c.test", minute());
      assertEquals(3, asked.get());
      resolver.lookUp("a.test", minute());
      assertEquals(3, asked.get());
      resolver.lookUp("b.test", minute());
      assertEquals(4, asked.get());
    });
    assertEquals(2, resolver.answers.size());
  }

  @Test
  void unknownHostStaysUnknownForFiveSeconds() throws Exception {
    CachingResolver resolver = caching((host, deadline) -> {
      asked.incrementAndGet();
      throw new UnknownHostException("no such host: " + host);
    });
    network.run(() -> {
      UnknownHostException first = fails(UnknownHostException.class, resolver);
      assertEquals("no such host: a.test", first.getMessage());
      network.sleep(Duration.ofMillis(4_999));
      UnknownHostException again = fails(UnknownHostException.class, resolver);
      assertEquals("no such host: a.test (asked 4999 ms ago)", again.getMessage());
      assertNotSame(first, again);
      assertEquals(1, asked.get());
      network.sleep(Duration.ofMillis(1));
      fails(UnknownHostException.class, resolver);
      assertEquals(2, asked.get());
    });
  }

  @Test
  void failureOfTheNameServiceIsNotRemembered() throws Exception {
    CachingResolver resolver = caching((host, deadline) -> {
      if (asked.incrementAndGet() == 1) {
        throw new IOException("on strike");
      }
      return List.of(FIRST);
    });
    network.run(() -> {
      assertEquals("on strike", fails(IOException.class, resolver).getMessage());
      assertEquals(List.of(FIRST), resolver.resolve("a.test", minute()));
    });
  }

  @Test
  void answerThatIsOverIsNotUsedWhenTheNameServiceFails() throws Exception {
    CachingResolver resolver = caching((host, deadline) -> {
      if (asked.incrementAndGet() == 2) {
        throw new IOException("on strike");
      }
      return List.of(FIRST);
    });
    network.run(() -> {
      resolver.lookUp("a.test", minute());
      network.sleep(Duration.ofSeconds(30));
      assertEquals("on strike", fails(IOException.class, resolver).getMessage());
    });
  }

  /** A call of the resolver on a thread of the world. */
  private final class Asking {
    final CompletableFuture<ResolvedHost> outcome = new CompletableFuture<>();
    final Thread thread;

    Asking(CachingResolver resolver, Duration patience) {
      thread = network.threadFactory().newThread(() -> {
        try {
          outcome.complete(resolver.lookUp("a.test", network.after(patience)));
        } catch (Throwable e) {
          outcome.completeExceptionally(e);
        }
      });
      thread.start();
    }

    Throwable failure() {
      return assertThrows(ExecutionException.class, outcome::get).getCause();
    }
  }

  private Resolver slow(Duration time) {
    return (host, deadline) -> {
      asked.incrementAndGet();
      network.sleep(time);
      return List.of(FIRST);
    };
  }

  @Test
  void thoseWhoAskAtTheSameTimeShareOneLookUp() throws Exception {
    CachingResolver resolver = caching(slow(Duration.ofSeconds(2)));
    network.run(() -> {
      List<Asking> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        all.add(new Asking(resolver, Duration.ofMinutes(1)));
      }
      for (Asking each : all) {
        assertSame(all.getFirst().outcome.get(), each.outcome.get());
      }
      assertEquals(Duration.ofSeconds(2).toNanos(), network.clock().nanoTime());
    });
    assertEquals(1, asked.get());
  }

  @Test
  void waitersDoNotFailWithTheFirstCaller() throws Exception {
    long answerAt = Duration.ofSeconds(8).toNanos();
    Resolver obedient = (host, deadline) -> {
      asked.incrementAndGet();
      long until = Math.min(answerAt, deadline.nanos());
      network.sleep(Duration.ofNanos(until - network.clock().nanoTime()));
      if (until < answerAt) {
        throw new DeadlinePassedException("no answer in time");
      }
      return List.of(FIRST);
    };
    CachingResolver resolver = caching(obedient);
    network.run(() -> {
      Asking hasty = new Asking(resolver, Duration.ofSeconds(8).minusNanos(1));
      network.sleep(Duration.ofMillis(1));
      Asking patient = new Asking(resolver, Duration.ofMinutes(1));
      assertInstanceOf(DeadlinePassedException.class, hasty.failure());
      assertEquals(List.of(FIRST), patient.outcome.get().addresses());
      assertEquals(answerAt, network.clock().nanoTime());
      assertEquals(2, asked.get());
    });
  }

  @Test
  void deadlineAndInterruptHoldWhateverTheResolverDoes() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    CachingResolver resolver = caching((host, deadline) -> {
      asked.incrementAndGet();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
      }
      throw new IOException("ended");
    });
    network.run(() -> {
      Asking hasty = new Asking(resolver, Duration.ofSeconds(3));
      Asking patient = new Asking(resolver, Duration.ofMinutes(1));
      assertInstanceOf(DeadlinePassedException.class, hasty.failure());
      assertEquals(Duration.ofSeconds(3).toNanos(), network.clock().nanoTime());
      assertEquals(0, interrupted.get(), "somebody still waits");
      patient.thread.interrupt();
      assertInstanceOf(InterruptedIOException.class, patient.failure());
      while (interrupted.get() == 0) {
        network.sleep(Duration.ofMillis(1));
      }
      assertEquals(1, asked.get());
    });
  }

  private static List<Resolver> broken() {
    return List.of(
        (host, deadline) -> null,
        (host, deadline) -> List.of(),
        (host, deadline) -> Collections.singletonList(null),
        (host, deadline) -> {
          throw new IllegalStateException("broken");
        },
        (host, deadline) -> {
          throw new StackOverflowError("broken");
        },
        (host, deadline) -> {
          throw CachingResolverTest.<RuntimeException>unchecked(new Exception("broken"));
        });
  }

  /** Other languages of the JVM let a resolver throw anything. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // to throw it from Java, too
  private static <E extends Throwable> E unchecked(Throwable any) throws E {
    throw (E) any;
  }

  @ParameterizedTest
  @MethodSource("broken")
  void whatAResolverDoesAgainstItsContractIsNamed(Resolver source) throws Exception {
    CachingResolver resolver = caching(source);
    network.run(() -> {
      IOException failure = fails(IOException.class, resolver);
      assertTrue(
          failure.getMessage().startsWith("the resolver " + source.getClass().getName()),
          failure.getMessage());
      assertTrue(failure.getMessage().contains("for the host a.test with java.lang."));
      assertTrue(failure.getMessage().contains("it is to return addresses or throw"));
      assertEquals(0, resolver.answers.size());
    });
  }

  @Test
  void resolversOwnTimeoutIsNoInterruptAndNoDeadlineOfTheCall() throws Exception {
    CachingResolver resolver = caching((host, deadline) -> {
      if (asked.incrementAndGet() == 1) {
        throw new SocketTimeoutException("no answer of the name server");
      }
      throw new DeadlinePassedException("no answer in 2 s");
    });
    network.run(() -> {
      IOException timeout = fails(IOException.class, resolver);
      assertEquals(IOException.class, timeout.getClass());
      assertEquals("no answer of the name server", timeout.getMessage());
      IOException passed = fails(IOException.class, resolver);
      assertEquals(IOException.class, passed.getClass());
      assertEquals("the resolver gave up: no answer in 2 s", passed.getMessage());
    });
  }

  @Test
  void limitsThatContradictEachOtherAreRefused() {
    NameCacheLimits limits = NameCacheLimits.DEFAULTS;
    assertRefused(
        "maxEntries must be at least 1, not 0",
        () -> limits.toBuilder().maxEntries(0).build());
    assertRefused(
        "negativeTtl must be 0 or longer, not PT-1S",
        () -> limits.toBuilder().negativeTtl(Duration.ofSeconds(-1)).build());
    assertRefused(
        "minTtl must be at most maxTtl, which is PT5M, not PT6M",
        () -> limits.toBuilder().minTtl(Duration.ofMinutes(6)).build());
    assertRefused(
        "defaultTtl must be at most maxTtl, which is PT10S, not PT30S",
        () -> limits.toBuilder().maxTtl(Duration.ofSeconds(10)).build());
  }

  private static void assertRefused(String message, Runnable made) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, made::run).getMessage());
  }
}
