package heddle.verify.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Code in a client's process takes the whole heap for a while; afterwards the client works. */
record ClientNeighbour() implements Trial {
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  @Override
  public String name() {
    return "client-heap-neighbour";
  }

  @Override
  public String what() {
    return "code in the client's process fills the heap for 2 s";
  }

  @Override
  public int seconds() {
    return 8;
  }

  @Override
  public Result run(Stalls stalls) throws Exception {
    try (HostileServer good = new HostileServer(ClientTrial::answer);
        Child child = Child.start(Child.Options.heap(64), TortureClient.class, good.url())) {
      child.port();
      String said = child.ask(TortureClient.FILL, PATIENCE);
      if (said == null || !said.startsWith(ClientReport.FIRST)) {
        String why = child.isAlive() ? "the client said " + said : child.end();
        return Result.of(name(), List.of(why + " " + child.errors()), "");
      }
      ClientReport report = ClientReport.parse(said);
      List<String> failures = new ArrayList<>();
      report.judge(failures);
      if (!report.failure().startsWith("released")) {
        failures.add("the neighbour said " + report.failure());
      }
      if (good.openAfter(Duration.ofSeconds(2)) > 0) {
        failures.add(good.open() + " connections are left");
      }
      return Result.of(name(), failures, "normal after %.2f s".formatted(report.seconds()));
    }
  }
}
