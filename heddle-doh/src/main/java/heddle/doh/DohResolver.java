package heddle.doh;

import heddle.client.HttpClient;
import heddle.doh.Question.Answer;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.io.Interrupts;
import heddle.http.syntax.Host;
import heddle.transport.DeadlinePassedException;
import heddle.transport.names.Resolver;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Looks host names up by DNS queries over HTTPS (RFC 8484), for A, AAAA and HTTPS records at the
 * same time. Safe for use by many threads; closing it closes the clients that it has made.
 *
 * <pre>{@code
 * DohResolver names = DohResolver.builder()
 *     .server("https://dns.example/dns-query{?dns}", InetAddress.getByName("192.0.2.53"))
 *     .build();
 * HttpClient client = HttpClient.builder().resolver(names).build();
 * }</pre>
 *
 * <p>The client's name cache uses an answer again for as long as it holds: the shortest time to
 * live of its records, less the Age of the HTTP response (RFC 8484 section 5.1). At most 64
 * addresses of each family are used. If the servers answer for one family alone and fail for the
 * other, the addresses of that one are returned, and do not hold: the next look-up asks again.
 *
 * <p>Of HTTPS records (RFC 9460), which may be missing, only the versions of HTTP are used that
 * {@link heddle.transport.names.Resolver.ResolvedHost#versions} has.
 *
 * <p>Addresses are not looked up, nor are names that DNS does not have: {@code localhost} and names
 * that end in {@code .localhost} are the loopback addresses, and names that end in {@code
 * .invalid}, {@code .local} or {@code .onion} are unknown (RFC 6761, 6762, 7686). The hosts file
 * and the system's search domains are not used.
 */
public final class DohResolver implements Resolver, AutoCloseable {
  /** Never sent to DNS: RFC 6761 §6.4, RFC 6762 §3, RFC 7686 §2. */
  private static final Set<String> NOT_IN_DNS = Set.of("invalid", "local", "onion");

  private static final String INTERRUPTED = "interrupted while looking up a host";

  private final List<DohServer> servers;
  private final Duration timeout;
  private final Duration hintDelay;
  private final Clock clock = Clock.system();

  /** The index of the server that answered last, which is asked first. */
  private volatile int preferred;

  private DohResolver(List<DohServer> servers, Duration timeout, Duration hintDelay) {
    this.servers = servers;
    this.timeout = timeout;
    this.hintDelay = hintDelay;
  }

  /** A builder without servers. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public List<InetAddress> resolve(String host, Deadline deadline) throws IOException {
    return lookUp(host, deadline).addresses();
  }

  /**
   * Looks a name up; parks the calling thread at most until the deadline.
   *
   * @param deadline by the system's {@link Clock}
   * @return the addresses, those of IPv6 first (RFC 8305 section 4)
   * @throws UnknownHostException if the name does not exist or has no address
   * @throws DohException if no server has answered, with the failure of each
   * @throws DeadlinePassedException when the deadline passes first
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  @Override
  public ResolvedHost lookUp(String host, Deadline deadline) throws IOException {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(deadline, "deadline");
    if (Host.isMeantAsAddress(host)) {
      InetAddress address = Host.address(host);
      if (address == null) {
        throw unknown(host);
      }
      return new ResolvedHost(List.of(address));
    }
    String name = host.toLowerCase(Locale.ROOT);
    name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    String topLevel = name.substring(name.lastIndexOf('.') + 1);
    if (topLevel.equals("localhost")) {
      return new ResolvedHost(loopback(host));
    }
    if (name.isEmpty() || NOT_IN_DNS.contains(topLevel)) {
      throw unknown(host);
    }
    return ask(host, dnsName(host, name), deadline);
  }

  /** RFC 6761 §6.3. */
  private static List<InetAddress> loopback(String host) throws IOException {
    byte[] ipv6 = new byte[16];
    ipv6[15] = 1;
    return List.of(
        InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}),
        InetAddress.getByAddress(host, ipv6));
  }

  private static Name dnsName(String host, String name) throws UnknownHostException {
    try {
      return Name.fromString(name + ".");
    } catch (TextParseException e) {
      UnknownHostException unknown =
          new UnknownHostException("%s is no name of DNS: %s".formatted(host, e.getMessage()));
      unknown.initCause(e);
      throw unknown;
    }
  }

  private static UnknownHostException unknown(String host) {
    return new UnknownHostException("no address is known for the host " + host);
  }

  /** What has become of a question; one of both is null. */
  private record Outcome(@Nullable Answer answer, @Nullable DohException failure) {
    List<Record> records() {
      return answer == null ? List.of() : answer.records();
    }

    /** Zero after a failure, so that the next look-up asks again. */
    Duration ttl() {
      return answer == null ? Duration.ZERO : Duration.ofSeconds(answer.ttlSeconds());
    }
  }

  private ResolvedHost ask(String host, Name name, Deadline deadline) throws IOException {
    FutureTask<Outcome> second = start(() -> ask(new Question(name, Type.A), deadline));
    FutureTask<Set<HttpVersion>> hint = start(() -> askForVersions(name, deadline));
    try {
      Outcome ipv6 = ask(new Question(name, Type.AAAA), deadline);
      Outcome ipv4 = await(second, host);
      List<InetAddress> addresses = addresses(host, ipv6, ipv4);
      return new ResolvedHost(addresses, shorter(ipv6.ttl(), ipv4.ttl()), awaitHint(hint));
    } finally {
      second.cancel(true);
      hint.cancel(true);
    }
  }

  private static <T> FutureTask<T> start(Callable<T> asking) {
    FutureTask<T> task = new FutureTask<>(asking);
    Thread.ofVirtual().name("heddle-doh").start(task);
    return task;
  }

  /** A hint is not worth asking a second server for. */
  private Set<HttpVersion> askForVersions(Name name, Deadline deadline) throws IOException {
    Question question = new Question(name, Type.HTTPS);
    return ServiceBindings.versions(
        servers.get(preferred).ask(question, left(deadline, question, null)).records());
  }

  /** The addresses are there: a hint may be a little later, or missing. */
  private Set<HttpVersion> awaitHint(FutureTask<Set<HttpVersion>> hint)
      throws InterruptedIOException {
    try {
      return hint.get(TimeUnit.NANOSECONDS.convert(hintDelay), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw Interrupts.restored(INTERRUPTED, e);
    } catch (ExecutionException | TimeoutException e) {
      return Set.of();
    }
  }

  private static Outcome await(FutureTask<Outcome> asking, String host) throws IOException {
    try {
      return asking.get();
    } catch (InterruptedException e) {
      throw Interrupts.restored(INTERRUPTED, e);
    } catch (ExecutionException e) {
      Throwable failure = e.getCause();
      throw failure instanceof IOException known
          ? known
          : new IOException("looking up the host " + host + " failed: " + failure, failure);
    }
  }

  private static List<InetAddress> addresses(String host, Outcome ipv6, Outcome ipv4)
      throws IOException {
    List<InetAddress> addresses = new ArrayList<>();
    for (Record each : ipv6.records()) {
      byte[] address = ((AAAARecord) each).getAddress().getAddress();
      addresses.add(InetAddress.getByAddress(host, address));
    }
    for (Record each : ipv4.records()) {
      byte[] address = ((ARecord) each).getAddress().getAddress();
      addresses.add(InetAddress.getByAddress(host, address));
    }
    if (addresses.isEmpty()) {
      DohException failure = ipv6.failure() == null ? ipv4.failure() : ipv6.failure();
      throw failure == null ? unknown(host) : failure;
    }
    return addresses;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Asks one server after the other, beginning with the one that answered last. */
  private Outcome ask(Question question, Deadline deadline) throws IOException {
    DohException failure = null;
    int first = preferred;
    for (int i = 0; i < servers.size(); i++) {
      int index = (first + i) % servers.size();
      DohServer server = servers.get(index);
      Duration left = left(deadline, question, failure);
      try {
        Answer answer = server.ask(question, left);
        preferred = index;
        return new Outcome(answer, null);
      } catch (DohException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    left(deadline, question, failure);
    return new Outcome(null, failure);
  }

  /** How long a server has for its answer: the timeout, or what is left until the deadline. */
  private Duration left(Deadline deadline, Question question, @Nullable DohException failure)
      throws DeadlinePassedException {
    if (deadline.isPast(clock)) {
      DeadlinePassedException passed = new DeadlinePassedException(
          "deadline passed while looking up the host " + question.name());
      passed.initCause(failure);
      throw passed;
    }
    Duration left = Duration.ofNanos(Math.max(1, deadline.remainingNanos(clock)));
    return shorter(left, timeout);
  }

  /** Closes the clients that the resolver has made, not the one that it was given. Idempotent. */
  @Override
  public void close() {
    servers.forEach(DohServer::close);
  }

  /** Collects the servers and settings of a resolver. Not safe for use by several threads. */
  public static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private Duration timeout = Duration.ofSeconds(3);
    private Duration hintDelay = Duration.ofMillis(50); // as RFC 8305 §3 has it for addresses
    private boolean post;
    private @Nullable HttpClient client;
    private Consumer<HttpClient.Builder> settings = unchanged -> {};

    private record Entry(Request prototype, List<InetAddress> addresses) {
      List<InetAddress> addressesOf(String host) throws UnknownHostException {
        if (!host.equals(prototype.origin().host())) {
          throw new UnknownHostException(
              "addresses of %s are given, not of %s: set a resolver for both"
                  .formatted(prototype.origin().host(), host));
        }
        return addresses;
      }
    }

    private Builder() {}

    /**
     * Adds a server. The first is asked first; if it fails, the next one, and then that one is
     * asked first from then on.
     *
     * <p>The host of the URL cannot be looked up by this resolver. It is connected to at the
     * addresses that are given here; without any, the system's name service looks it up, unless it
     * is an address. The certificate must name the host in each case.
     *
     * @param template an https URL, which ends in {@code {?dns}} or {@code {&dns}} or has no
     *     variable (RFC 8484 section 4.1)
     * @throws IllegalArgumentException if it is no such URL
     */
    public Builder server(String template, InetAddress... addresses) {
      Objects.requireNonNull(template, "template");
      entries.add(new Entry(DohServer.prototype(template), List.of(addresses)));
      return this;
    }

    /**
     * How long a server may take for an answer, before the next one is asked; 3 s by default, which
     * includes opening a connection.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder timeout(Duration time) {
      Objects.requireNonNull(time, "time");
      if (!time.isPositive()) {
        throw new IllegalArgumentException("timeout must be positive, but was " + time);
      }
      timeout = time;
      return this;
    }

    /**
     * Sends queries as the content of POST requests. By default they are in the URL of GET
     * requests, which HTTP caches can answer, and which servers may log.
     */
    public Builder post() {
      post = true;
      return this;
    }

    /**
     * Sends the queries by this client, which is not closed with the resolver. It must not use this
     * resolver: it looks up the servers' hosts. By default the resolver makes a client for each
     * server, with {@link HttpClient.Builder#plain} and HTTP/2 if the server supports it.
     */
    public Builder client(HttpClient client) {
      this.client = Objects.requireNonNull(client, "client");
      return this;
    }

    /**
     * How long a look-up that has addresses waits for HTTPS records, without which it returns them
     * otherwise; 50 ms by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder hintDelay(Duration time) {
      Objects.requireNonNull(time, "time");
      if (time.isNegative()) {
        throw new IllegalArgumentException("hintDelay must not be negative, but was " + time);
      }
      hintDelay = time;
      return this;
    }

    /** Changes the clients that the resolver makes, such as their TLS options or proxies. */
    public Builder settings(Consumer<HttpClient.Builder> change) {
      settings = Objects.requireNonNull(change, "change");
      return this;
    }

    /**
     * Builds the resolver. Nothing is sent until a name is looked up.
     *
     * @throws IllegalStateException if it has no server, or addresses and a client that would not
     *     use them
     */
    public DohResolver build() {
      if (entries.isEmpty()) {
        throw new IllegalStateException("there is no server to ask: call server(URL)");
      }
      List<DohServer> servers = new ArrayList<>();
      for (Entry each : entries) {
        servers.add(server(each));
      }
      return new DohResolver(List.copyOf(servers), timeout, hintDelay);
    }

    private DohServer server(Entry entry) {
      HttpClient given = client;
      if (given == null) {
        HttpClient.Builder made = HttpClient.builder().plain().label("heddle-doh");
        if (!entry.addresses().isEmpty()) {
          made.resolver((host, deadline) -> entry.addressesOf(host));
        }
        settings.accept(made);
        return new DohServer(entry.prototype(), made.build(), true, post);
      }
      if (!entry.addresses().isEmpty()) {
        throw new IllegalStateException(
            "addresses of %s were given, and a client that does not use them: give the client a"
                    .formatted(entry.prototype().origin())
                + " resolver that returns them");
      }
      return new DohServer(entry.prototype(), given, false, post);
    }
  }
}
