package heddle.testkit.mock;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link MockServer} answers, and what goes wrong with it. Immutable.
 *
 * <pre>{@code
 * MockResponse.ok("hello").header("ETag", "\"1\"").after(Duration.ofMillis(200))
 * MockResponse.ok("hello").with(MockFault.cutInBody(3))
 * }</pre>
 */
public final class MockResponse {
  private final int status;
  private final List<String> fields;
  private final byte[] body;
  private final boolean chunked;
  private final Duration delay;
  private final @Nullable MockFault fault;

  private MockResponse(
      int status,
      List<String> fields,
      byte[] body,
      boolean chunked,
      Duration delay,
      @Nullable MockFault fault) {
    this.status = status;
    this.fields = fields;
    this.body = body;
    this.chunked = chunked;
    this.delay = delay;
    this.fault = fault;
  }

  /**
   * A response without content.
   *
   * @throws IllegalArgumentException if the status is not from 200 to 599
   */
  public static MockResponse of(int status) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("a final status is from 200 to 599, not " + status);
    }
    return new MockResponse(status, List.of(), new byte[0], false, Duration.ZERO, null);
  }

  /** 200 with text. */
  public static MockResponse ok(String text) {
    return of(200).body(text);
  }

  /** 200 with bytes. */
  public static MockResponse ok(byte[] bytes) {
    return of(200).body(bytes);
  }

  /** No answer but a fault: {@link MockFault#blackHole}, {@link MockFault#goAway} and the like. */
  public static MockResponse fault(MockFault fault) {
    return of(200).with(fault);
  }

  /** Answers with this text in UTF-8. */
  public MockResponse body(String text) {
    return body(text.getBytes(UTF_8));
  }

  /** Answers with these bytes. */
  public MockResponse body(byte[] bytes) {
    return new MockResponse(status, fields, bytes.clone(), chunked, delay, fault);
  }

  /** Adds a field unchecked. */
  public MockResponse header(String name, String value) {
    List<String> more = new ArrayList<>(fields);
    more.add(name + ": " + value);
    return new MockResponse(status, List.copyOf(more), body, chunked, delay, fault);
  }

  /** Without a length in the head: in chunks over HTTP/1.1. */
  public MockResponse chunked() {
    return new MockResponse(status, fields, body, true, delay, fault);
  }

  /**
   * The server waits for a while before it answers.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public MockResponse after(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("a server cannot answer before it is asked: " + time);
    }
    return new MockResponse(status, fields, body, chunked, time, fault);
  }

  /** Adds a fault; replaces one given before. */
  public MockResponse with(MockFault newFault) {
    return new MockResponse(status, fields, body, chunked, delay, newFault);
  }

  /** The status code. */
  public int status() {
    return status;
  }

  List<String> fields() {
    return fields;
  }

  /** Whether the response may have content (RFC 9110 §6.4.1). */
  boolean mayHaveContent(String requestMethod) {
    return status != 204 && status != 304 && !requestMethod.equals("HEAD");
  }

  /** Not a copy: for the package. */
  byte[] content() {
    return body;
  }

  boolean isChunked() {
    return chunked;
  }

  Duration delay() {
    return delay;
  }

  @Nullable
  MockFault fault() {
    return fault;
  }

  /** Whether the request counts as not processed. */
  public boolean refuses() {
    return fault != null && fault.refuses();
  }

  @Override
  public String toString() {
    return status + " with " + body.length + " bytes" + (fault == null ? "" : ", " + fault);
  }
}
