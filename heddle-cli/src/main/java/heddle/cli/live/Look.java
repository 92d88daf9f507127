package heddle.cli.live;

import java.nio.charset.Charset;
import java.util.Map;
import org.jline.utils.AttributedStyle;

/**
 * The capabilities of a terminal.
 *
 * @param color whether it supports colours and styles
 * @param unicode whether it supports characters beyond ASCII
 */
public record Look(boolean color, boolean unicode) {

  /** Without colour if {@code NO_COLOR} is not empty, see no-color.org. */
  static Look of(Map<String, String> environment, Charset charset) {
    return new Look(
        environment.getOrDefault("NO_COLOR", "").isEmpty(), charset.newEncoder().canEncode('▁'));
  }

  AttributedStyle plain() {
    return AttributedStyle.DEFAULT;
  }

  AttributedStyle strong() {
    return color ? AttributedStyle.BOLD : plain();
  }

  AttributedStyle faint() {
    return color ? AttributedStyle.DEFAULT.faint() : plain();
  }

  AttributedStyle good() {
    return color ? AttributedStyle.DEFAULT.foreground(AttributedStyle.GREEN) : plain();
  }

  AttributedStyle bad() {
    return color ? AttributedStyle.BOLD.foreground(AttributedStyle.RED) : plain();
  }

  AttributedStyle doubtful() {
    return color ? AttributedStyle.BOLD.foreground(AttributedStyle.YELLOW) : plain();
  }

  /** Replaces characters that the terminal does not have, such as {@code µ}. */
  String text(String text) {
    return unicode ? text : text.replace('µ', 'u').replace('…', '~').replace('·', '-');
  }
}
