package heddle.cli.live;

import java.nio.charset.Charset;
import java.util.Map;
import org.jline.utils.AttributedStyle;

/**
 * What a terminal can show.
 *
 * @param color whether anything but plain text may be written
 * @param unicode whether its characters go beyond ASCII
 */
public record Look(boolean color, boolean unicode) {

  /** Without colour where {@code NO_COLOR} holds anything, as no-color.org asks. */
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

  /** Such as {@code µs}, with letters that the terminal has. */
  String text(String text) {
    return unicode ? text : text.replace('µ', 'u').replace('…', '~').replace('·', '-');
  }
}
