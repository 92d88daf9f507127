package heddle.bench.page;

import heddle.bench.result.Figure;

/**
 * The readable name of a figure.
 *
 * @param title the title
 * @param unit the unit
 */
record Label(String title, Unit unit) {

  /** The label of a figure. */
  static Label of(Figure figure) {
    return switch (figure) {
      case RATE -> rate("Requests answered");
      case MEAN -> time("Latency, average");
      case P50 -> time("Latency, median");
      case P90 -> time("Latency, 90th percentile");
      case P99 -> time("Latency, 99th percentile");
      case P999 -> time("Latency, 99.9th percentile");
      case MAX -> time("Latency, maximum");
      case SERVICE_P50 -> time("Time in service, median");
      case SERVICE_P99 -> time("Time in service, 99th percentile");
      case SEND_LAG_P99 -> time("Send lag, 99th percentile");
      case SEND_LAG_MAX -> time("Send lag, maximum");
      case ASKED_RATE -> rate("Requests scheduled");
      case DROPPED -> count("Requests not sent (too many unfinished)");
      case FAILED_SHARE -> share("Requests failed");
      case ANSWERED -> count("Answers that the figures are based on");
      case SENT -> count("Requests sent in the whole run");
      case CPU -> time("CPU time for each request");
      case CPU_PER_MIB -> time("CPU time for each MiB of content");
      case COMPILING -> share("CPU time of the JVM's compilers");
      case ALLOCATED -> bytes("Allocated for each request");
      case PEAK_HEAP -> bytes("Heap at most, garbage included");
      case HEAP_AFTER_GC -> bytes("Heap after a collection, at most");
      case LIVE_SET -> bytes("Live set after a full collection");
      case PEAK_RSS -> bytes("Resident set, at most");
      case GC_COUNT -> count("Collections");
      case GC_MILLIS -> millis("Collections, time in all");
      case GC_MAX_MILLIS -> millis("Collections, the longest");
      case THREADS -> count("Platform threads, at most");
      case IDLE_THREADS -> count("Platform threads of an idle JVM");
      case CONNECTIONS -> count("Connections open at the end");
      case SOCKETS_OPENED -> count("Connections begun in the run");
      case VOLUNTARY_SWITCHES -> count("Voluntary context switches for each request");
      case INVOLUNTARY_SWITCHES -> count("Involuntary context switches for each request");
      case KEPT -> share("Throughput kept next to a slow reader");
      case CPU_CORES -> count("Cores kept busy");
      case MEAN_HEAP -> bytes("Heap on average, garbage included");
      default -> ofPace(figure);
    };
  }

  private static Label ofPace(Figure figure) {
    return switch (figure) {
      case HELD_ASKED -> count("Requests to be held");
      case HELD_MOST -> count("Requests held at once, at most");
      case HELD_AT_END -> count("Requests held at the end");
      case HELD_SECONDS -> seconds("Time until the most were held");
      case HELD_HEAP -> bytes("Heap for each request held");
      case HELD_RSS -> bytes("Resident set for each request held");
      case BATCHES -> count("Batches");
      case BATCH_MEAN -> time("Time to complete a batch, average");
      case BATCH_P50 -> time("Time to complete a batch, median");
      case HAND_OVER_MEAN -> time("Time to hand a batch over, average");
      case HAND_OVER_P50 -> time("Time to hand a batch over, median");
      case HAND_OVER_RATE -> rate("Requests handed over");
      default -> ofSurroundings(figure);
    };
  }

  private static Label ofSurroundings(Figure figure) {
    return switch (figure) {
      case FIRST_ANSWER -> millis("Time to the first answer, from the JVM's start");
      case FIRST_ANSWER_SINCE_MAIN -> millis("Time to the first answer, from main");
      case FIRST_ANSWER_CPU -> millis("CPU time to the first answer");
      case CLASSES -> count("Classes loaded by the first answer");
      case SERVER_REQUESTS -> count("Server: requests counted");
      case SERVER_PEAK -> count("Server: requests at once, at most");
      case SERVER_PEAK_SECONDS -> seconds("Server: time until the most requests at once");
      case SERVER_CPU -> time("Server: CPU time for each request");
      case SERVER_ALLOCATED -> bytes("Server: allocated for each request");
      case SERVER_LIVE_SET -> bytes("Server: live set");
      case SERVER_PEAK_HEAP -> bytes("Server: heap at most, garbage included");
      case SERVER_HEAP -> bytes("Server: heap on average, garbage included");
      case SERVER_COMMITTED_HEAP -> bytes("Server: heap reserved, at most");
      case SERVER_PEAK_RSS -> bytes("Server: resident set, at most");
      case SERVER_CONNECTION_RSS -> bytes("Server: resident set for each connection");
      case SERVER_GC_COUNT -> count("Server: collections");
      case SERVER_GC_MILLIS -> millis("Server: collections, time in all");
      case SERVER_GC_MAX_MILLIS -> millis("Server: collections, the longest");
      case SERVER_THREADS -> count("Server: platform threads, at most");
      case SERVER_VOLUNTARY_SWITCHES -> count("Server: voluntary switches for each request");
      case SERVER_INVOLUNTARY_SWITCHES -> count("Server: involuntary switches for each request");
      case STEAL -> share("Machine: given to others by the hypervisor");
      case FOREIGN_CPU -> share("Machine: taken by other programs");
      case THROTTLED -> share("Machine: held back by a container's limit");
      case CPU_PRESSURE -> share("Machine: something waited for a core");
      case MEMORY_PRESSURE -> share("Machine: something waited for memory");
      case IO_PRESSURE -> share("Machine: something waited for a disk");
      default -> throw new IllegalArgumentException(figure + " has no label");
    };
  }

  /** Such as {@code more is better}. */
  static String direction(Figure figure) {
    return figure.isMoreBetter() ? "more is better" : "less is better";
  }

  private static Label rate(String title) {
    return new Label(title, Unit.RATE);
  }

  private static Label time(String title) {
    return new Label(title, Unit.MICROS);
  }

  private static Label millis(String title) {
    return new Label(title, Unit.MILLIS);
  }

  private static Label seconds(String title) {
    return new Label(title, Unit.SECONDS);
  }

  private static Label bytes(String title) {
    return new Label(title, Unit.BYTES);
  }

  private static Label count(String title) {
    return new Label(title, Unit.COUNT);
  }

  private static Label share(String title) {
    return new Label(title, Unit.SHARE);
  }
}
