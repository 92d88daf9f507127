package heddle.bench.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A figure that is measured in a run. If a platform, a program or a server does not provide a
 * figure, it is missing from the run, never 0. Figures per request are per successful answer.
 */
public enum Figure {
  /** Successful answers per second; of batches, over the whole time. */
  RATE("requestsPerSecond", Sense.FASTER_IF_MORE),
  /** The median latency in microseconds. */
  P50("p50Micros", Sense.FASTER_IF_LESS),
  /** The 99th percentile of the latency in microseconds. */
  P99("p99Micros", Sense.FASTER_IF_LESS),
  /** The average latency in microseconds; of batches, from the beginning of the batch. */
  MEAN("meanMicros", Sense.FASTER_IF_LESS),
  /** The 90th percentile of the latency in microseconds. */
  P90("p90Micros", Sense.FASTER_IF_LESS),
  /** The 99.9th percentile of the latency in microseconds. */
  P999("p999Micros", Sense.FASTER_IF_LESS),
  /** The longest latency in microseconds. */
  MAX("maxMicros", Sense.FASTER_IF_LESS),
  /** The median time from the actual start of a request, in microseconds. */
  SERVICE_P50("serviceP50Micros", Sense.FASTER_IF_LESS),
  /** The 99th percentile of that. */
  SERVICE_P99("serviceP99Micros", Sense.FASTER_IF_LESS),
  /** In an open load, the 99th percentile of how late requests were sent, in microseconds. */
  SEND_LAG_P99("sendLagP99Micros", Sense.NEUTRAL),
  /** In an open load, the longest send lag, in microseconds. */
  SEND_LAG_MAX("sendLagMaxMicros", Sense.NEUTRAL),
  /** In an open load, the average scheduled rate in requests per second. */
  ASKED_RATE("askedRequestsPerSecond", Sense.NEUTRAL),
  /** Requests of an open load that were not sent, because too many were unfinished. */
  DROPPED("requestsDropped", Sense.LESS),
  /** The share of requests that failed, of those that ended or were to be held, 0 to 1. */
  FAILED_SHARE("failedShare", Sense.LESS),
  /** How many successful answers the figures are based on. */
  ANSWERED("answered", Sense.NEUTRAL),
  /** How many requests the client sent in the whole run, before the measured part too. */
  SENT("requestsSent", Sense.NEUTRAL),

  /**
   * CPU time of the client process for each request, in microseconds, without that of the JVM's
   * compilers.
   */
  CPU("cpuMicrosPerRequest", Sense.FASTER_IF_LESS),
  /** The same per MiB of content, sent and received together; only for large content. */
  CPU_PER_MIB("cpuMicrosPerMiB", Sense.FASTER_IF_LESS),
  /** CPU time of the whole process over the time that passed: how many cores it kept busy. */
  CPU_CORES("cpuCores", Sense.NEUTRAL),
  /** The share of the whole process's CPU time that the JVM's compilers took, 0 to 1. */
  COMPILING("compilingShare", Sense.NEUTRAL),
  /** Bytes allocated on the heap for each request, by all threads. */
  ALLOCATED("allocatedBytesPerRequest", Sense.LESS),
  /** The highest use of the heap, garbage included: the sum of the pools' peaks. */
  PEAK_HEAP("peakHeapBytes", Sense.LESS),
  /** The average use of the heap over the measured part, garbage included. */
  MEAN_HEAP("meanHeapBytes", Sense.LESS),
  /** The highest use of the heap after a collection. */
  HEAP_AFTER_GC("heapAfterGcBytes", Sense.LESS),
  /** What lives on the heap with the client still open, after a full collection. */
  LIVE_SET("liveSetBytes", Sense.LESS),
  /** The largest resident set of the process. */
  PEAK_RSS("peakRssBytes", Sense.LESS),
  /** How many times the collector ran. */
  GC_COUNT("gcCount", Sense.LESS),
  /** Its total time in milliseconds; JVMs report whole ones. */
  GC_MILLIS("gcMillis", Sense.LESS),
  /** Its longest run, in milliseconds. */
  GC_MAX_MILLIS("gcMaxMillis", Sense.LESS),
  /** The most platform threads alive at once, the JVM's own included. */
  THREADS("platformThreads", Sense.LESS),
  /** How many of those the JVM had before the client started. */
  IDLE_THREADS("idleJvmThreads", Sense.NEUTRAL),
  /** Connections to the server at the end of the measured part, as the kernel counts them. */
  CONNECTIONS("connectionsOpen", Sense.NEUTRAL),
  /** Connections begun on this machine during the run: 0 if all were open before it. */
  SOCKETS_OPENED("socketsOpened", Sense.LESS),
  /** How often a thread of the client gave up its core by itself, for each request. */
  VOLUNTARY_SWITCHES("voluntarySwitchesPerRequest", Sense.LESS),
  /** How often the kernel took it away, for each request. */
  INVOLUNTARY_SWITCHES("involuntarySwitchesPerRequest", Sense.LESS),
  /** The throughput next to a slow reader, as a share of that without it. */
  KEPT("keptShare", Sense.MORE),

  /** The requested number of held requests. */
  HELD_ASKED("heldAsked", Sense.NEUTRAL),
  /** The most requests that were held at once, by the server's count if it counts. */
  HELD_MOST("heldMost", Sense.MORE),
  /** How many requests were held when the time was up. */
  HELD_AT_END("heldAtEnd", Sense.MORE),
  /** The time until the most were held, in seconds, by the server's count if it counts. */
  HELD_SECONDS("heldSeconds", Sense.FASTER_IF_LESS),
  /**
   * The growth of the live set of the heap per request held at the end, from before the client was
   * opened.
   */
  HELD_HEAP("heapBytesPerHeld", Sense.LESS),
  /** The growth of the resident set per request held, from before to its largest. */
  HELD_RSS("rssBytesPerHeld", Sense.LESS),

  /** How many batches there were. */
  BATCHES("batches", Sense.NEUTRAL),
  /** The average time in which all requests of a batch had ended, in microseconds. */
  BATCH_MEAN("batchMeanMicros", Sense.FASTER_IF_LESS),
  /** The median of that. */
  BATCH_P50("batchP50Micros", Sense.FASTER_IF_LESS),
  /**
   * The average time to hand all requests of a batch over, in microseconds; none need have ended.
   */
  HAND_OVER_MEAN("handOverMeanMicros", Sense.NEUTRAL),
  /** The median of that. */
  HAND_OVER_P50("handOverP50Micros", Sense.NEUTRAL),
  /**
   * Requests handed over per second, over the time of handing over only. It was once published as a
   * throughput, and flatters clients that accept requests and answer them later.
   */
  HAND_OVER_RATE("handOversPerSecond", Sense.NEUTRAL),

  /** Requests that the server counted in the whole run. */
  SERVER_REQUESTS("serverRequests", Sense.NEUTRAL),
  /** The most requests that the server handled at once. */
  SERVER_PEAK("serverPeakConcurrency", Sense.NEUTRAL),
  /** When that was, in seconds from the first request. */
  SERVER_PEAK_SECONDS("serverPeakAfterSeconds", Sense.NEUTRAL),
  /**
   * CPU time of the server's process for each request, in microseconds, without that of the JVM's
   * compilers.
   */
  SERVER_CPU("serverCpuMicrosPerRequest", Sense.SERVER),
  /** Bytes that the server allocated for each request that it counted. */
  SERVER_ALLOCATED("serverAllocatedBytesPerRequest", Sense.SERVER),
  /** The live set of the server's heap after a full collection at the end of the run. */
  SERVER_LIVE_SET("serverLiveSetBytes", Sense.SERVER),
  /** The server's largest resident set in the run. */
  SERVER_PEAK_RSS("serverPeakRssBytes", Sense.SERVER),
  /**
   * The growth of the server's resident set per connection, from before any was open, if most of
   * them are idle.
   */
  SERVER_CONNECTION_RSS("serverRssBytesPerConnection", Sense.SERVER),
  /** How many times the server's collector ran. */
  SERVER_GC_COUNT("serverGcCount", Sense.SERVER),
  /** How long it ran in all, in milliseconds. */
  SERVER_GC_MILLIS("serverGcMillis", Sense.SERVER),
  /** Its longest run, in milliseconds. */
  SERVER_GC_MAX_MILLIS("serverGcMaxMillis", Sense.SERVER),
  /** The server's most platform threads at once. */
  SERVER_THREADS("serverPlatformThreads", Sense.SERVER),
  /** How often a thread of the server gave up its core by itself, for each request. */
  SERVER_VOLUNTARY_SWITCHES("serverVoluntarySwitchesPerRequest", Sense.NEUTRAL),
  /** How often the kernel took it away, for each request. */
  SERVER_INVOLUNTARY_SWITCHES("serverInvoluntarySwitchesPerRequest", Sense.NEUTRAL),

  /** The highest use of the server's heap, garbage included: the sum of the pools' peaks. */
  SERVER_PEAK_HEAP("serverPeakHeapBytes", Sense.SERVER),
  /** The average use of the server's heap, garbage included, sampled once a second. */
  SERVER_HEAP("serverHeapBytes", Sense.SERVER),
  /** The most memory that the server's JVM had reserved for its heap. */
  SERVER_COMMITTED_HEAP("serverCommittedHeapBytes", Sense.SERVER),

  /** From the start of a fresh JVM to its first complete answer, in milliseconds. */
  FIRST_ANSWER("firstAnswerMillis", Sense.FASTER_IF_LESS),
  /** The same from the beginning of its main method. */
  FIRST_ANSWER_SINCE_MAIN("firstAnswerSinceMainMillis", Sense.FASTER_IF_LESS),
  /** CPU time of a fresh JVM until its first answer, in milliseconds. */
  FIRST_ANSWER_CPU("firstAnswerCpuMillis", Sense.FASTER_IF_LESS),
  /** How many classes a fresh JVM has loaded by then, including those that count them. */
  CLASSES("classesLoaded", Sense.LESS),

  /** The share of the cores' time that the hypervisor gave to others, 0 to 1. */
  STEAL("stealShare", Sense.NEUTRAL),
  /** The share of the cores' time that programs took which are no part of the race, 0 to 1. */
  FOREIGN_CPU("foreignCpuShare", Sense.NEUTRAL),
  /**
   * The share of the time in which the CPU limit of the container throttled this process, 0 to 1.
   */
  THROTTLED("throttledShare", Sense.NEUTRAL),
  /** The share of the time in which something waited for a core, the race included. */
  CPU_PRESSURE("cpuPressureShare", Sense.NEUTRAL),
  /** The share of the time in which something waited for memory. */
  MEMORY_PRESSURE("memoryPressureShare", Sense.NEUTRAL),
  /** The share of the time in which something waited for a disk. */
  IO_PRESSURE("ioPressureShare", Sense.NEUTRAL);

  /** What a higher or a lower value of a figure means. */
  private enum Sense {
    FASTER_IF_MORE,
    FASTER_IF_LESS,
    MORE,
    LESS,
    NEUTRAL,
    /** Less is better if servers are compared. */
    SERVER
  }

  private static final Map<String, Figure> BY_KEY =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Figure::key, Function.identity()));

  /** Senses of figures about speed. */
  private static final Set<Sense> TIMED = Set.of(Sense.FASTER_IF_MORE, Sense.FASTER_IF_LESS);

  private final String key;
  private final Sense sense;

  Figure(String key, Sense sense) {
    this.key = key;
    this.sense = sense;
  }

  /** Its name in files, such as {@code cpuMicrosPerRequest}. */
  @JsonValue
  public String key() {
    return key;
  }

  /** The figure with this key; null if there is none. */
  public static @Nullable Figure find(String key) {
    return BY_KEY.get(key);
  }

  /** Whether clients are compared by it. */
  public boolean isCompared() {
    return sense != Sense.NEUTRAL && sense != Sense.SERVER;
  }

  /** Whether participants of a cell of this kind are compared by it. */
  public boolean isComparedIn(LoadKind kind) {
    return isCompared() || (sense == Sense.SERVER && kind == LoadKind.SERVED);
  }

  /** Whether it is a time or a rate, and therefore varies with the state of the machine. */
  public boolean isTimed() {
    return TIMED.contains(sense);
  }

  /** Whether more of it is better. */
  public boolean isMoreBetter() {
    return sense == Sense.FASTER_IF_MORE || sense == Sense.MORE;
  }

  /** A word for a client that has the better figure, such as {@code faster}. */
  public String better() {
    return switch (sense) {
      case FASTER_IF_MORE, FASTER_IF_LESS -> "faster";
      case MORE -> "more";
      case LESS, NEUTRAL, SERVER -> "less";
    };
  }

  /** A word for a client that has the worse figure, such as {@code slower}. */
  public String worse() {
    return switch (sense) {
      case FASTER_IF_MORE, FASTER_IF_LESS -> "slower";
      case MORE -> "less";
      case LESS, NEUTRAL, SERVER -> "more";
    };
  }
}
