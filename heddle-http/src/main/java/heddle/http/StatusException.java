package heddle.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A response whose status is none of success, for callers that need one. */
public final class StatusException extends HttpException {
  private static final long serialVersionUID = 1L;

  private static final int MAX_READ = 8 << 10;
  private static final int MAX_SHOWN = 200;
  private static final Set<String> TEXTUAL =
      Set.of("json", "xml", "x-www-form-urlencoded", "javascript");

  /** With the excerpt as its body; null once deserialized. */
  private final transient @Nullable Response response;

  /** The code of the status. */
  private final int code;

  /** The beginning of the content. */
  private final String excerpt;

  private StatusException(String message, Response response, String excerpt) {
    super(message, null, null);
    this.response = response;
    this.code = response.status().code();
    this.excerpt = excerpt;
  }

  /**
   * Reads the beginning of a response's content and closes it.
   *
   * @throws InterruptedIOException when the thread is interrupted meanwhile; its flag is set again
   */
  public static StatusException of(Response response) throws InterruptedIOException {
    String excerpt = "";
    IOException unread = null;
    try (Body body = response.body()) {
      excerpt = isText(body.mediaType()) ? excerpt(body) : "";
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      unread = e;
    }
    StatusException failure = new StatusException(
        message(response, excerpt),
        response.withBody(excerptBody(excerpt, response.body().mediaType())),
        excerpt);
    if (unread != null) {
      failure.addSuppressed(unread);
    }
    return failure;
  }

  private static Body excerptBody(String excerpt, @Nullable MediaType type) {
    byte[] bytes = excerpt.getBytes(StandardCharsets.UTF_8);
    return type == null ? Body.of(bytes) : Body.of(bytes, type);
  }

  private static boolean isText(@Nullable MediaType type) {
    if (type == null || type.type().equals("text")) {
      return true;
    }
    String subtype = type.subtype();
    return TEXTUAL.contains(subtype.substring(subtype.lastIndexOf('+') + 1));
  }

  private static String excerpt(Body body) throws IOException {
    MediaType type = body.mediaType();
    Charset named = type == null ? null : type.charset();
    try (InputStream content = body.stream()) {
      byte[] read = content.readNBytes(MAX_READ);
      return new String(read, named == null ? StandardCharsets.UTF_8 : named);
    }
  }

  private static String message(Response response, String excerpt) {
    Request request = response.request();
    StringBuilder message = new StringBuilder();
    if (request != null) {
      message
          .append(request.method())
          .append(' ')
          .append(request.origin())
          .append(request.path())
          .append(" was answered ");
    }
    message.append(response.status());
    if (!excerpt.isBlank()) {
      // On one line, so that a server cannot forge another in a log.
      String line = excerpt.strip().replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\s]+", " ");
      message.append(": ").append(line, 0, Math.min(line.length(), MAX_SHOWN));
      message.append(line.length() > MAX_SHOWN ? "..." : "");
    }
    return message.toString();
  }

  /** The status of the response. */
  public Status status() {
    return response == null ? Status.of(code) : response.status();
  }

  /** The fields of the response; none after serialization. */
  public Headers headers() {
    return response == null ? Headers.empty() : response.headers();
  }

  /** The request that was answered so; null after serialization. */
  public @Nullable Request request() {
    return response == null ? null : response.request();
  }

  /** The first 8 KiB of the content, if it is text; else, and if there is none, empty. */
  public String excerpt() {
    return excerpt;
  }

  /**
   * The {@link #excerpt} as a value, such as the problem details of RFC 9457, by the {@linkplain
   * Request#codec codec} of the request or the {@linkplain BodyCodec#installed installed} one.
   *
   * @throws BodyCodecException if the excerpt is no such value, for example because it is not JSON
   *     or longer than 8 KiB
   * @throws IllegalStateException if there is no codec
   */
  public <T> T as(Class<T> type) throws IOException {
    Response read = response == null ? Response.of(status()).withBody(Body.of(excerpt)) : response;
    return type.cast(read.value(type));
  }
}
