package heddle.har;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file is not in the HTTP Archive format, or larger than allowed. The message says where. */
public final class HarFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  HarFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
