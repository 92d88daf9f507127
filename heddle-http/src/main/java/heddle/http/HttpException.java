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

  private @Nullable String described; // once asked for; threads that race make the same

  /**
   * @param message what happened and what to change
   * @param at where in a call it happened; null outside of a call
   */
  public HttpException(String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    this(() -> message, at, cause);
  }

  /**
   * An exception whose message is made when it is first asked for, so that a client that refuses
   * thousands of calls a second does not make messages that are never read.
   *
   * @param explanation says what happened and what to change; reads only what no longer changes
   * @param at where in a call it happened; null outside of a call
   */
  protected HttpException(
      Supplier<String> explanation, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(null, cause);
    this.explanation = explanation;
    this.at = at;
  }

  /** Where in a call it happened; null outside of a call, and after serialization. */
  public @Nullable FailurePoint at() {
    return at;
  }

  @Override
  public String getMessage() {
    String text = described;
    if (text == null) {
      String what = explanation == null ? "" : explanation.get();
      text = at == null ? what : what + ": " + at;
      described = text;
    }
    return text;
  }

  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    described = getMessage();
    out.defaultWriteObject();
  }
}
