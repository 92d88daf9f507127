package heddle.client.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The events. The {@code PROBE} of each kind, which is never committed, says whether a recording
 * wants events of that kind.
 */
public final class ClientEvents {
  private ClientEvents() {}

  /** What all events have in common; the annotations are inherited. */
  @Category({"Heddle", "Client"})
  @StackTrace(false)
  public abstract static class ClientEvent extends Event {
    @Label("Origin")
    public @Nullable String origin;

    ClientEvent() {}
  }

  @Name("heddle.Call")
  @Label("HTTP Call")
  @Description("A call, from its beginning to the last byte of its response's body.")
  public static final class CallEvent extends ClientEvent {
    public static final CallEvent PROBE = new CallEvent();

    /** The id in {@code heddle.client.spi.CallInfo}. */
    @Label("Call")
    public long callId;

    @Label("Method")
    public @Nullable String method;

    /** Without the query, which may hold private data. */
    @Label("Path")
    public @Nullable String path;

    @Label("Attempts")
    public int attempts;

    /** 0 if there was no response. */
    @Label("Status")
    public int status;

    @Label("Protocol")
    public @Nullable String protocol;

    @Label("Connection")
    public long connectionId;

    @Label("Connection Reused")
    public boolean reused;

    @Label("Request Sent")
    public @Nullable String sent;

    /** -1 if it is not known beforehand. */
    @Label("Content Sent")
    @DataAmount
    public long contentSent;

    @Label("Content Received")
    @DataAmount
    public long contentReceived;

    @Label("Time in Queue")
    @Timespan
    public long queue;

    @Label("Time Looking Up")
    @Timespan
    public long resolve;

    @Label("Time Connecting")
    @Timespan
    public long connect;

    @Label("Time in TLS Handshake")
    @Timespan
    public long tls;

    @Label("Time Sending")
    @Timespan
    public long send;

    @Label("Time Awaiting the Head")
    @Timespan
    public long awaitHead;

    @Label("Time Reading the Body")
    @Timespan
    public long readBody;

    @Label("Time Before Repeating")
    @Timespan
    public long backoff;

    /** Null if there was none. */
    @Label("Failure")
    public @Nullable String failure;
  }

  /** What the events of an attempt have in common; it shows which events belong together. */
  public abstract static class AttemptPart extends ClientEvent {
    /** The id in {@code heddle.client.spi.CallInfo}. */
    @Label("Call")
    public long callId;

    /** 1 for the first. */
    @Label("Attempt")
    public int attempt;

    /** Null if there was none. */
    @Label("Failure")
    public @Nullable String failure;

    AttemptPart() {}
  }

  @Name("heddle.Attempt")
  @Label("HTTP Attempt")
  @Description("One attempt of a call, to the head of the response.")
  public static final class AttemptEvent extends AttemptPart {
    public static final AttemptEvent PROBE = new AttemptEvent();

    @Label("Method")
    public @Nullable String method;

    @Label("Path")
    public @Nullable String path;

    /** 0 if there was no response. */
    @Label("Status")
    public int status;

    @Label("Connection")
    public long connectionId;

    @Label("Connection Reused")
    public boolean reused;
  }

  @Name("heddle.Queue")
  @Label("HTTP Pool Queue")
  @Description("Waiting for a connection of the pool, if none was available at once.")
  public static final class QueueEvent extends AttemptPart {
    public static final QueueEvent PROBE = new QueueEvent();
  }

  @Name("heddle.Resolve")
  @Label("HTTP Host Lookup")
  @Description("Looking up a host.")
  public static final class ResolveEvent extends AttemptPart {
    public static final ResolveEvent PROBE = new ResolveEvent();

    @Label("Host")
    public @Nullable String host;

    @Label("Addresses")
    public @Nullable String addresses;
  }

  @Name("heddle.Connect")
  @Label("HTTP Connect")
  @Description("Opening a connection to the first of the addresses that answers.")
  public static final class ConnectEvent extends AttemptPart {
    public static final ConnectEvent PROBE = new ConnectEvent();

    @Label("Address")
    public @Nullable String address;
  }

  @Name("heddle.Tls")
  @Label("HTTP TLS Handshake")
  @Description("A TLS handshake.")
  public static final class TlsEvent extends AttemptPart {
    public static final TlsEvent PROBE = new TlsEvent();

    /** Such as {@code TLSv1.3}. */
    @Label("Protocol")
    public @Nullable String protocol;

    @Label("Cipher Suite")
    public @Nullable String cipherSuite;

    @Label("Application Protocol")
    public @Nullable String applicationProtocol;
  }

  @Name("heddle.Exchange")
  @Label("HTTP Exchange")
  @Description("A request and its response on a connection, to the end of the body.")
  public static final class ExchangeEvent extends AttemptPart {
    public static final ExchangeEvent PROBE = new ExchangeEvent();

    /** 0 if there was no response. */
    @Label("Status")
    public int status;

    @Label("Connection")
    public long connectionId;

    @Label("Protocol")
    public @Nullable String protocol;

    @Label("Address")
    public @Nullable String address;
  }

  /** The state of a pool for one route. */
  public abstract static class PoolState extends ClientEvent {
    @Label("Connections Open or Being Opened")
    public int open;

    @Label("Connections Idle")
    public int idle;

    @Label("Connections in Use")
    public int inUse;

    @Label("Calls Waiting")
    public int pending;

    @Label("Calls in Flight")
    public int inFlight;

    @Label("Calls in Flight Allowed")
    public int inFlightLimit;

    /** Recent calls per second. */
    @Label("Arrival Rate")
    public double arrivalRate;

    /** Of recent calls. */
    @Label("Mean Time in Use")
    @Timespan
    public long meanTimeInUse;

    /** By Little's law: the rate times the time. */
    @Label("Calls in Flight Needed")
    public int neededInFlight;

    PoolState() {}
  }

  @Name("heddle.PoolRefusal")
  @Label("HTTP Pool Refusal")
  @Description("The pool refused to give a call a connection: its state for the call's route.")
  public static final class PoolRefusalEvent extends PoolState {
    public static final PoolRefusalEvent PROBE = new PoolRefusalEvent();

    /** The id in {@code heddle.client.spi.CallInfo}. */
    @Label("Call")
    public long callId;

    /** 1 for the first. */
    @Label("Attempt")
    public int attempt;

    @Label("Failure")
    public @Nullable String failure;
  }

  @Name("heddle.Pool")
  @Label("HTTP Pool")
  @Description("The state of a pool for one route, recorded periodically.")
  @Period("10 s")
  public static final class PoolEvent extends PoolState {
    /** These take no more calls, and do not count against the route's limit. */
    @Label("Connections Draining")
    public int draining;
  }

  @Name("heddle.Http2Connection")
  @Label("HTTP/2 Connection")
  @Description("The life of an HTTP/2 connection, from when it was opened to when it was closed.")
  public static final class Http2ConnectionEvent extends ClientEvent {
    public static final Http2ConnectionEvent PROBE = new Http2ConnectionEvent();

    @Label("Connection")
    public long connectionId;

    @Label("Address")
    public @Nullable String address;
  }
}
