package heddle.http;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A value has no content that stands for it, or content is not what it should be. */
public final class BodyCodecException extends HttpException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong, in the words of the library that converts
   */
  public BodyCodecException(String message, @Nullable Throwable cause) {
    super(message, null, cause);
  }

  /** The same failure with the response whose content it is about. */
  BodyCodecException of(Response response, Type type) {
    Request request = response.request();
    MediaType mediaType = response.body().mediaType();
    BodyCodecException told = new BodyCodecException(
        "the %s content of %s%s cannot be read as %s: %s"
            .formatted(
                mediaType == null ? "untyped" : mediaType,
                response.status(),
                request == null
                    ? ""
                    : " for " + request.method() + " " + request.origin() + request.path(),
                type.getTypeName(),
                problem()),
        getCause());
    return told;
  }
}
