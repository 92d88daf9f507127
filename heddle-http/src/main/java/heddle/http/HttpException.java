package heddle.http;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a request or response. The message says what went wrong, and ends with the
 * {@linkplain FailurePoint point} of the call at which it happened, if there was a call.
 */
public class HttpException extends IOException {
  private static final long serialVersionUID = 1L;

  // A point is for programs in this JVM; its text is part of the message.
  private final transient @Nullable FailurePoint at;

  // Null once deserialized: the message has been made then.
  private final transient @Nullable Supplier<String> explanation;
  private transient @Nullable Supplier<String> advice; // set before the exception is thrown

  // Once asked for; threads that race make the same.

  /** What happened, without the point of the call. */
  private @Nullable String problem;

  /** The message with the point of the call, once it was asked for. */
  private @Nullable String described;

  /**
   * @param message what happened
   * @param at where in a call it happened; null outside of a call
   */
  public HttpException(String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    this(() -> message, at, cause);
  }

  /**
   * An exception whose message is made when it is first asked for, so that a client that refuses
   * thousands of calls a second does not make messages that are never read.
   *
   * @param explanation says what happened; reads only what no longer changes
   * @param at where in a call it happened; null outside of a call
   */
  protected HttpException(
      Supplier<String> explanation, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(null, cause);
    this.explanation = explanation;
    this.at = at;
  }

  /** As the other one, with advice that is made as late as the message: see {@link #advise}. */
  protected HttpException(
      Supplier<String> explanation,
      Supplier<String> advice,
      @Nullable FailurePoint at,
      @Nullable Throwable cause) {
    this(explanation, at, cause);
    this.advice = advice;
  }

  /**
   * Adds to the message what to change, in terms of Heddle's own settings; before the failure is
   * thrown. Replaces earlier advice.
   *
   * @param advice follows the {@linkplain #problem problem} directly, so it begins with a mark such
   *     as {@code "; "}; empty for none
   * @return the failure
   */
  public static <T extends HttpException> T advise(T failure, String advice) {
    HttpException advised = failure;
    advised.advice = () -> advice;
    advised.described = null;
    return failure;
  }

  /**
   * What happened: the message without advice that names Heddle's own settings, and without the
   * point. For code that reports the failure to the users of another API.
   */
  public String problem() {
    String text = problem;
    if (text == null) {
      text = explanation == null ? "" : explanation.get();
      problem = text;
    }
    return text;
  }

  /** Where in a call it happened; null outside of a call, and after serialization. */
  public @Nullable FailurePoint at() {
    return at;
  }

  @Override
  public String getMessage() {
    String text = described;
    if (text == null) {
      String what = advice == null ? problem() : problem() + advice.get();
      text = at == null ? what : what + ": " + at;
      described = text;
    }
    return text;
  }

  /** Writes the message, whose source is not serializable. */
  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    described = getMessage();
    out.defaultWriteObject();
  }
}
