package heddle.load.cluster.kubernetes;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/**
 * Writes YAML that means the same in version 1.2 and in 1.1, which Kubernetes uses and in which
 * {@code on}, {@code y} and {@code 0b1} are not strings. Anything but a plain word is quoted.
 */
final class Yaml {

  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9]*([./-][A-Za-z0-9]+)*");
  private static final Set<String> NO_TEXTS =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private Yaml() {}

  static String of(Map<String, Object> values) {
    DumpSettings settings = DumpSettings.builder()
        .setDefaultFlowStyle(FlowStyle.BLOCK)
        .setDereferenceAliases(true)
        .setSplitLines(false)
        .build();
    return new Dump(settings, new Quoting(settings)).dumpToString(values);
  }

  private static ScalarStyle styleOf(String text) {
    boolean isWord =
        WORD.matcher(text).matches() && !NO_TEXTS.contains(text.toLowerCase(Locale.ROOT));
    return isWord ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
  }

  /** The library needs a subclass to write a type in another way. */
  private static final class Quoting extends StandardRepresenter {
    Quoting(DumpSettings settings) {
      super(settings);
      representers.put(
          String.class,
          text -> representScalar(Tag.STR, String.valueOf(text), styleOf(String.valueOf(text))));
    }
  }
}
