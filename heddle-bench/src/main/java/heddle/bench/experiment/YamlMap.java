package heddle.bench.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A mapping of a YAML file, whose keys are read one by one. {@link #done} refuses keys that were
 * never read. All messages begin with the file, the line and the key. Used by one thread.
 */
final class YamlMap {

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z-]+)\\}");

  private final String file;
  private final String path;
  private final Node node;
  private final int line;
  private final Map<String, Node> keys = new LinkedHashMap<>();
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, String> variables;
  private final Set<String> known = new LinkedHashSet<>();

  private YamlMap(String file, String path, Node node, Map<String, String> variables)
      throws ExperimentException {
    this.file = file;
    this.path = path;
    this.node = node;
    this.line = lineOf(node);
    this.variables = variables;
    if (!(node instanceof MappingNode mapping)) {
      throw new ExperimentException(at(line) + path + ": it must have keys, such as name: paced");
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String key = scalar(tuple.getKeyNode(), "a key");
      keys.put(key, tuple.getKeyNode());
      values.put(key, tuple.getValueNode());
    }
  }

  /** The outermost mapping of a file. */
  static YamlMap of(String file, Node node) throws ExperimentException {
    return new YamlMap(file, "the experiment", node, Map.of());
  }

  /** A copy with {@code {name}} replaced in all its texts. */
  YamlMap with(Map<String, String> replacements) throws ExperimentException {
    return new YamlMap(file, path, node, replacements);
  }

  boolean has(String key) {
    known.add(key);
    return values.containsKey(key);
  }

  /** The text of a required key. */
  String text(String key) throws ExperimentException {
    Node value = values.get(key);
    known.add(key);
    if (value == null) {
      throw new ExperimentException(at(line) + path + ": it lacks the key " + key);
    }
    return scalar(value, key);
  }

  /** The text of a key, or a default if the key is absent. */
  String text(String key, String otherwise) throws ExperimentException {
    return has(key) ? text(key) : otherwise;
  }

  /** The value of a required key; text that cannot be read is refused with the reason. */
  <T> T as(String key, Function<String, T> reading) throws ExperimentException {
    return read(key, text(key), reading);
  }

  /** The value of a key, or of a default text if the key is absent. */
  <T> T as(String key, String otherwise, Function<String, T> reading) throws ExperimentException {
    return has(key) ? as(key, reading) : reading.apply(otherwise);
  }

  /** The values of a list or of a single text, or of a default text if the key is absent. */
  <T> List<T> list(String key, String otherwise, Function<String, T> reading)
      throws ExperimentException {
    List<T> list = new ArrayList<>();
    for (String text : has(key) ? texts(key) : List.of(otherwise)) {
      list.add(read(key, text, reading));
    }
    return list;
  }

  private <T> T read(String key, String text, Function<String, T> reading)
      throws ExperimentException {
    try {
      return reading.apply(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw wrong(key, String.valueOf(e.getMessage()));
    }
  }

  /** A list of texts, or a single one; empty if the key is absent. */
  List<String> texts(String key) throws ExperimentException {
    if (!has(key)) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (Node each : items(key)) {
      texts.add(scalar(each, key));
    }
    return texts;
  }

  /** A list of mappings; empty if the key is absent. */
  List<YamlMap> maps(String key) throws ExperimentException {
    if (!has(key)) {
      return List.of();
    }
    List<YamlMap> maps = new ArrayList<>();
    for (Node each : items(key)) {
      maps.add(new YamlMap(file, key, each, variables));
    }
    return maps;
  }

  private List<Node> items(String key) {
    Node value = values.get(key);
    return value instanceof SequenceNode sequence
        ? List.copyOf(sequence.getValue())
        : value == null ? List.of() : List.of(value);
  }

  /** A mapping; null if the key is absent. */
  @Nullable
  YamlMap map(String key) throws ExperimentException {
    Node value = values.get(key);
    known.add(key);
    return value == null ? null : new YamlMap(file, key, value, variables);
  }

  /** All keys, for a mapping whose keys are arbitrary names. */
  List<String> names() {
    known.addAll(keys.keySet());
    return List.copyOf(keys.keySet());
  }

  /** Refuses keys that were never read. */
  void done() throws ExperimentException {
    for (Map.Entry<String, Node> each : keys.entrySet()) {
      if (!known.contains(each.getKey())) {
        throw new ExperimentException(at(lineOf(each.getValue())) + each.getKey()
            + ": there is no such key here; choose among " + String.join(", ", known));
      }
    }
  }

  /** An exception about a key that is present. */
  ExperimentException wrong(String key, String what) {
    Node place = keys.get(key);
    return new ExperimentException(at(place == null ? line : lineOf(place)) + key + ": " + what);
  }

  /** An exception about the whole mapping. */
  ExperimentException wrong(String what) {
    return new ExperimentException(at(line) + path + ": " + what);
  }

  private String scalar(Node from, String key) throws ExperimentException {
    if (!(from instanceof ScalarNode scalar)) {
      throw new ExperimentException(
          at(lineOf(from)) + key + ": it must be a single value, not a list or keys");
    }
    Matcher variable = VARIABLE.matcher(scalar.getValue());
    StringBuilder text = new StringBuilder();
    while (variable.find()) {
      String value = variables.get(variable.group(1));
      variable.appendReplacement(
          text, Matcher.quoteReplacement(value == null ? variable.group() : value));
    }
    return variable.appendTail(text).toString().strip();
  }

  private String at(int number) {
    return file + ":" + number + ": ";
  }

  private static int lineOf(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
