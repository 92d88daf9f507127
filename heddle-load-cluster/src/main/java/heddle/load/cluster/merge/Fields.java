package heddle.load.cluster.merge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object. Each method throws {@link IllegalArgumentException} if the field is
 * missing or of another type; the message names it.
 */
public record Fields(Map<?, ?> map) {

  public boolean has(String name) {
    return map.containsKey(name);
  }

  public String text(String name) {
    return as(String.class, "text", name, map.get(name));
  }

  public Number number(String name) {
    return as(Number.class, "number", name, map.get(name));
  }

  public int whole(String name) {
    Number number = number(name);
    if (number.doubleValue() != number.intValue()) {
      throw new IllegalArgumentException(name + " is not a whole number: " + number);
    }
    return number.intValue();
  }

  public boolean flag(String name) {
    return as(Boolean.class, "truth value", name, map.get(name));
  }

  public Fields object(String name) {
    return new Fields(as(Map.class, "object", name, map.get(name)));
  }

  public List<Fields> objects(String name) {
    List<Fields> objects = new ArrayList<>();
    for (Object each : as(List.class, "list", name, map.get(name))) {
      objects.add(new Fields(as(Map.class, "object", "one of " + name, each)));
    }
    return objects;
  }

  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object each : as(List.class, "list", name, map.get(name))) {
      texts.add(as(String.class, "text", "one of " + name, each));
    }
    return texts;
  }

  public Map<String, String> textsByName(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    object(name)
        .map
        .forEach((key, value) ->
            texts.put(String.valueOf(key), as(String.class, "text", name + "." + key, value)));
    return texts;
  }

  public Map<String, Number> numbers() {
    Map<String, Number> numbers = new LinkedHashMap<>();
    map.forEach((key, value) ->
        numbers.put(String.valueOf(key), as(Number.class, "number", String.valueOf(key), value)));
    return numbers;
  }

  private static <T> T as(Class<T> type, String kind, String name, @Nullable Object value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException("it lacks the " + kind + " " + name);
    }
    return type.cast(value);
  }
}
