package heddle.har;

import heddle.client.spi.Interceptor;
import heddle.http.Body;
import heddle.http.FailurePoint;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a client from a file in the HTTP Archive format, without a network: for
 * tests. The file may be one of {@link HarRecorder}, or of the developer tools of a browser.
 * Thread-safe.
 *
 * <pre>{@code
 * HarReplay replay = HarReplay.of(Path.of("src/test/resources/calls.har"));
 * try (HttpClient client = HttpClient.builder().interceptor(replay).build()) {
 *   client.get("https://example.com/users").string(); // as it was recorded
 * }
 * assertEquals(List.of(), replay.unused());
 * }</pre>
 *
 * <p>An entry answers one request with its method and URL; of several, the first that is unused.
 * The replay stands next to the connections ({@link #isInnermost}), so that the client follows
 * recorded redirects, keeps cookies and answers challenges as it would with a server. A request
 * that no entry answers fails with a {@link NotRecordedException}, and an entry that had failed
 * fails again. Content is decoded already: responses have no Content-Encoding. Entries with other
 * URLs than those of http and https, or with one that no request can have, are ignored.
 */
public final class HarReplay implements Interceptor {
  /** The size of a file, unless another limit is given: 64 MiB. */
  public static final long DEFAULT_MAX_FILE_BYTES = 64L << 20;

  /** The number of entries in a file, unless another limit is given. */
  public static final int DEFAULT_MAX_ENTRIES = 10_000;

  private static final int MOST_NAMED = 3;

  private final String file;
  private final Redaction redaction;
  private final boolean matchesContent;
  private final boolean repeatsLast;

  /** By method and URL. */
  private final Map<String, List<ReplayedEntry>> exchanges = new HashMap<>();

  private final List<ReplayedEntry> all = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Set<ReplayedEntry> used = new HashSet<>();

  /**
   * An entry of the file.
   *
   * @param index in the file, from 0
   * @param url with what is {@linkplain Builder#redaction masked}
   * @param status 0 if the exchange had failed
   */
  public record Entry(int index, String method, String url, int status) {
    /** Such as {@code entry 3 (GET https://example.com/users, 200)}. */
    @Override
    public String toString() {
      return "entry %d (%s %s, %d)".formatted(index, method, url, status);
    }

    private String key() {
      return method + " " + url;
    }
  }

  private HarReplay(Builder builder) throws IOException {
    file = builder.file.toString();
    redaction = builder.redaction;
    matchesContent = builder.matchesContent;
    repeatsLast = builder.repeatsLast;
    List<HarFile.@Nullable Entry> entries = read(builder);
    for (int i = 0; i < entries.size(); i++) {
      ReplayedEntry exchange = exchange(entries.get(i), i);
      if (exchange != null) {
        all.add(exchange);
        exchanges
            .computeIfAbsent(exchange.entry().key(), key -> new ArrayList<>())
            .add(exchange);
      }
    }
  }

  private static List<HarFile.@Nullable Entry> read(Builder builder) throws IOException {
    long size = Files.size(builder.file);
    if (size > builder.maxFileBytes) {
      throw new HarFormatException(
          "%s has %d bytes, more than the %d that are allowed: raise maxFileBytes"
              .formatted(builder.file, size, builder.maxFileBytes),
          null);
    }
    HarFile har;
    try (InputStream in = Files.newInputStream(builder.file)) {
      har = HarFile.read(in, builder.file.toString(), builder.maxFileBytes);
    }
    List<HarFile.@Nullable Entry> entries = har.log() == null ? null : har.log().entries();
    if (entries == null) {
      throw new HarFormatException(
          builder.file + " is not in the HTTP Archive format: it has no log.entries", null);
    }
    if (entries.size() > builder.maxEntries) {
      throw new HarFormatException(
          "%s has %d entries, more than the %d that are allowed: raise maxEntries"
              .formatted(builder.file, entries.size(), builder.maxEntries),
          null);
    }
    return entries;
  }

  private @Nullable ReplayedEntry exchange(HarFile.@Nullable Entry entry, int index)
      throws HarFormatException {
    try {
      return ReplayedEntry.of(entry, index, redaction);
    } catch (HarFormatException e) {
      throw new HarFormatException(file + " is malformed at " + e.getMessage(), e.getCause());
    }
  }

  /**
   * A replay with the defaults.
   *
   * @throws HarFormatException if the file is malformed, or larger than allowed
   * @throws IOException if it cannot be read
   */
  public static HarReplay of(Path file) throws IOException {
    return builder(file).build();
  }

  /** A builder with the defaults. */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  /** Collects the settings of a replay. Not safe for use by several threads. */
  public static final class Builder {
    private final Path file;
    private Redaction redaction = Redaction.DEFAULTS;
    private boolean matchesContent;
    private boolean repeatsLast;
    private long maxFileBytes = DEFAULT_MAX_FILE_BYTES;
    private int maxEntries = DEFAULT_MAX_ENTRIES;

    private Builder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /**
     * What is not compared: parameters of queries and forms that are masked. Give that of the
     * recorder; {@link Redaction#DEFAULTS} unless it is set.
     */
    public Builder redaction(Redaction redaction) {
      this.redaction = Objects.requireNonNull(redaction, "redaction");
      return this;
    }

    /** Answers a request only from an entry whose request had the same content. */
    public Builder matchContent() {
      matchesContent = true;
      return this;
    }

    /** Lets the last entry for a request answer again when all were used. */
    public Builder repeatLast() {
      repeatsLast = true;
      return this;
    }

    /**
     * How large the file may be; 64 MiB by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxFileBytes(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("maxFileBytes must be at least 1, but was " + bytes);
      }
      maxFileBytes = bytes;
      return this;
    }

    /**
     * How many entries the file may have; 10,000 by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxEntries(int entries) {
      if (entries < 1) {
        throw new IllegalArgumentException("maxEntries must be at least 1, but was " + entries);
      }
      maxEntries = entries;
      return this;
    }

    /**
     * Reads the file.
     *
     * @throws HarFormatException if it is malformed, or larger than allowed
     * @throws IOException if it cannot be read
     */
    public HarReplay build() throws IOException {
      return new HarReplay(this);
    }
  }

  /** True: the replay takes the place of the connections. */
  @Override
  public boolean isInnermost() {
    return true;
  }

  /**
   * Answers a request.
   *
   * @throws NotRecordedException if no entry answers it
   * @throws heddle.http.HttpException if the exchange had failed when it was recorded
   */
  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    String content = matchesContent ? content(request) : null;
    if (content == null) {
      consume(request.body());
    }
    String key = request.method() + " " + redaction.url(request);
    ReplayedEntry found = take(key, content);
    if (found == null) {
      FailurePoint point = chain.point();
      throw new NotRecordedException(file + explain(key), point);
    }
    return found.answer(request);
  }

  private String content(Request request) throws IOException {
    return request.body().length() == 0
        ? ""
        : ReplayedEntry.content(request, request.body().bytes(), redaction);
  }

  /** What can be sent once is read, as sending it would; its source may wait for that. */
  private static void consume(Body body) throws IOException {
    if (!body.isReplayable() && !body.isDuplex()) {
      body.discard();
    }
  }

  private @Nullable ReplayedEntry take(String key, @Nullable String content) {
    ReplayedEntry last = null;
    lock.lock();
    try {
      for (ReplayedEntry each : exchanges.getOrDefault(key, List.of())) {
        if (content == null || each.content().equals(content)) {
          last = each;
          if (used.add(each)) {
            return each;
          }
        }
      }
      return repeatsLast ? last : null;
    } finally {
      lock.unlock();
    }
  }

  private String explain(String key) {
    List<ReplayedEntry> same = exchanges.getOrDefault(key, List.of());
    if (!same.isEmpty()) {
      return " has no unused entry%s for %s: %s"
          .formatted(matchesContent ? " with this content" : "", key, named(same));
    }
    Comparator<ReplayedEntry> closest =
        Comparator.comparingInt(each -> common(key, each.entry().key()));
    List<ReplayedEntry> similar = all.stream().sorted(closest.reversed()).toList();
    return " has no entry for " + key
        + (similar.isEmpty() ? ": it has none at all" : "; closest: " + named(similar));
  }

  private static String named(List<ReplayedEntry> exchanges) {
    return exchanges.stream()
        .limit(MOST_NAMED)
        .map(each -> each.entry().toString())
        .collect(Collectors.joining(", "));
  }

  /** How many characters two texts have in common at their beginning and at their end. */
  private static int common(String a, String b) {
    int most = Math.min(a.length(), b.length());
    int before = 0;
    while (before < most && a.charAt(before) == b.charAt(before)) {
      before++;
    }
    int after = 0;
    while (after < most - before
        && a.charAt(a.length() - 1 - after) == b.charAt(b.length() - 1 - after)) {
      after++;
    }
    return before + after;
  }

  /** The entries that have not answered a request yet, in the order of the file. */
  public List<Entry> unused() {
    lock.lock();
    try {
      return all.stream()
          .filter(each -> !used.contains(each))
          .map(ReplayedEntry::entry)
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
