package heddle.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.client.settings.Timeouts;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that is stopped and goes on, as in a debugger, a container or a sleeping laptop. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class StoppedProcessTest {
  private static final Duration SILENCE = Duration.ofSeconds(1);

  /** Longer than anyone waits for a loop that does nothing: twice the silence, and a margin. */
  private static final Duration STOP = Duration.ofMillis(2_600);

  /** Run in a new JVM: its exit status is the number of calls that failed. */
  static final class TwoCalls {
    public static void main(String[] args) throws Exception {
      Timeouts timeouts = Timeouts.builder().silence(SILENCE).build();
      try (HttpClient client = HttpClient.builder().timeouts(timeouts).build()) {
        Callable<Integer> call = () -> {
          Request request = Request.get(args[0]).toBuilder()
              .header("X-Sent", String.valueOf(System.currentTimeMillis()))
              .build();
          try (Response response = client.send(request)) {
            return response.status().code();
          }
        };
        FutureTask<Integer> virtual = new FutureTask<>(call);
        FutureTask<Integer> platform = new FutureTask<>(call);
        Thread.ofVirtual().start(virtual);
        Thread.ofPlatform().start(platform);
        System.exit(failures(virtual) + failures(platform));
      }
    }

    private static int failures(FutureTask<Integer> call) throws InterruptedException {
      try {
        return call.get() == 200 ? 0 : 1;
      } catch (ExecutionException e) {
        e.getCause().printStackTrace();
        return 1;
      }
    }
  }

  @Test
  void responseThatArrivedMeanwhileIsNoTimeout() throws Exception {
    boolean stoppedInTime = false;
    while (!stoppedInTime) {
      stoppedInTime = stopWhileTwoCallsWait();
    }
  }

  /** Answers whether the process was stopped before its calls were out of time. */
  private static boolean stopWhileTwoCallsWait() throws Exception {
    BlockingQueue<Long> asked = new LinkedBlockingQueue<>();
    CountDownLatch stopped = new CountDownLatch(1);
    try (TcpNetwork servers = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          Matcher sent = Pattern.compile("X-Sent: ([0-9]+)").matcher(c.expectHead());
          asked.add(sent.find() ? Long.parseLong(sent.group(1)) : 0);
          stopped.await();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
          c.hasMore();
        })) {
      Process process = ChildJvm.start(List.of(), TwoCalls.class, peer.url("/"));
      try {
        Long began = asked.poll(60, TimeUnit.SECONDS);
        assertNotNull(began, "no request has arrived");
        assertNotNull(asked.poll(60, TimeUnit.SECONDS), "one request has not arrived");
        signal("STOP", process);
        boolean inTime = System.currentTimeMillis() - began < SILENCE.toMillis() / 2;
        stopped.countDown();
        Thread.sleep(STOP);
        signal("CONT", process);
        int failed = process.waitFor();
        if (inTime) {
          assertEquals(0, failed, "calls that failed");
        }
        return inTime;
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static void signal(String name, Process process) throws Exception {
    List<String> command = List.of("kill", "-" + name, Long.toString(process.pid()));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }
}
