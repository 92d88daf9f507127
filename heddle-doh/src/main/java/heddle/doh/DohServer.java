package heddle.doh;

import heddle.client.HttpClient;
import heddle.doh.DohException.Reason;
import heddle.http.Body;
import heddle.http.BodyTooLargeException;
import heddle.http.HeaderName;
import heddle.http.MalformedUrlException;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.syntax.DeltaSeconds;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One server, and the client by which it is asked. Safe for use by many threads. */
final class DohServer implements AutoCloseable {
  /** RFC 8484 §6: what a length field of DNS over TCP can say. */
  static final int MAX_MESSAGE = 65_535;

  private static final MediaType DNS_MESSAGE = MediaType.parse("application/dns-message");

  /** RFC 8484 §4.1: a template (RFC 6570) with the variable dns; it is in the query if anywhere. */
  private static final Pattern TEMPLATE = Pattern.compile("([^{}]*)(\\{[?&]dns})?");

  /** The URL without the query, for messages. */
  final String name;

  private final Request prototype;
  private final HttpClient client;
  private final boolean owned;
  private final boolean post;

  /**
   * @param owned whether the client is closed with the server
   * @param post whether queries are the content of POST requests
   */
  DohServer(Request prototype, HttpClient client, boolean owned, boolean post) {
    this.name = "https://" + prototype.origin().hostHeader() + prototype.path();
    this.prototype = prototype;
    this.client = client;
    this.owned = owned;
    this.post = post;
  }

  /**
   * The request for a URL template, without its query.
   *
   * @throws IllegalArgumentException if the template has other variables, or is no https URL
   */
  static Request prototype(String template) {
    Matcher parts = TEMPLATE.matcher(template);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a URL template of a DNS server ends with {?dns}, {&dns} or without a variable"
              + " (RFC 8484 section 4.1), not " + template);
    }
    Request request;
    try {
      request = Request.builder(parts.group(1))
          .header("Accept", "application/dns-message")
          .build();
    } catch (MalformedUrlException e) {
      throw new IllegalArgumentException("the URL of a DNS server: " + e.getMessage(), e);
    }
    if (!request.origin().isSecure()) {
      throw new IllegalArgumentException(
          "the URL of a DNS server must begin with https:// (RFC 8484 section 4), but was "
              + template);
    }
    return request;
  }

  /**
   * Sends a query and waits for the response.
   *
   * @param timeout until the response has arrived
   * @throws DohException if there is none, or it does not answer the question
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  Question.Answer ask(Question question, Duration timeout) throws IOException {
    Request request = request(question.query()).deadline(timeout).build();
    try (Response response = client.send(request)) {
      if (!response.status().isSuccess()) {
        throw failure(Reason.STATUS, "answered " + response.status(), null);
      }
      requireMessage(response);
      return question.read(this, response.body().bytes(MAX_MESSAGE), age(response));
    } catch (BodyTooLargeException e) {
      throw failure(Reason.TOO_LARGE, "sent more than a DNS message can have, 65,535 bytes", e);
    } catch (DeadlineExceededException e) {
      throw failure(
          Reason.TIMEOUT, "did not answer within %,d ms".formatted(timeout.toMillis()), e);
    } catch (DohException | ClientClosedException e) {
      throw e;
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        throw e;
      }
      throw failure(Reason.NO_RESPONSE, "could not be asked: " + e.getMessage(), e);
    }
  }

  private Request.Builder request(byte[] query) {
    return post
        ? prototype.toBuilder().method(Method.POST).body(Body.of(query, DNS_MESSAGE))
        // RFC 8484 §4.1: base64url without padding.
        : prototype.toBuilder()
            .query("dns", Base64.getUrlEncoder().withoutPadding().encodeToString(query));
  }

  private void requireMessage(Response response) throws DohException {
    MediaType media = response.body().mediaType();
    if (media != null
        && media.type().equals(DNS_MESSAGE.type())
        && media.subtype().equals(DNS_MESSAGE.subtype())) {
      return;
    }
    String type = response.headers().first(HeaderName.CONTENT_TYPE);
    throw failure(
        Reason.CONTENT_TYPE,
        "sent %s instead of application/dns-message: check the path of its URL"
            .formatted(type == null ? "content without a type" : type),
        null);
  }

  /** RFC 9111 §5.1; a malformed one counts as 0. */
  private static long age(Response response) {
    String age = response.headers().first(HeaderName.AGE);
    return age == null ? 0 : Math.max(0, DeltaSeconds.parse(age));
  }

  DohException failure(Reason reason, String problem, @Nullable Throwable cause) {
    return new DohException(name, reason, problem, cause);
  }

  @Override
  public void close() {
    if (owned) {
      client.close();
    }
  }
}
