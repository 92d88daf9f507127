package heddle.bench.drivers.ablated;

import heddle.bench.ablation.Switch;
import heddle.client.ClientSwitches;
import heddle.codec.http2.Http2Switches;
import heddle.connection.http2.FlushSwitches;
import heddle.transport.TransportSwitches;
import heddle.transport.tcp.TcpSwitches;
import heddle.transport.tls.TlsSwitches;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The optimisations that are switched off in a race: single ones, or groups that belong together.
 *
 * @param named the names that were given
 * @param off the switches to turn off
 * @param readers the threads that read the answers of asynchronous calls
 */
public record Ablation(List<String> named, Set<Switch> off, Readers readers) {

  /** The system property with the names, separated by commas. */
  public static final String PROPERTY = "heddle.bench.ablation";

  /** The name of no ablation: the control, with which the others are compared. */
  private static final String NONE = "none";

  private static final Map<String, Switch> SINGLE = single();

  /** Groups of switches that are one optimisation from outside. */
  private static final Map<String, List<String>> TOGETHER = Map.of(
      "no-credit-after-end", List.of("credit-batches", "no-credit-after-end"),
      "tls-coalescing", List.of("joined-frames", "gathered-records", "records-together"),
      "pools", List.of("pooled-chunks", "pooled-ciphertext", "pooled-output"));

  private static Map<String, Switch> single() {
    Map<String, Switch> all = new LinkedHashMap<>();
    Stream.of(
            TcpSwitches.all(),
            TlsSwitches.all(),
            TransportSwitches.all(),
            Http2Switches.all(),
            FlushSwitches.all(),
            ClientSwitches.all())
        .flatMap(List::stream)
        .forEach(each -> all.put(each.name(), each));
    return all;
  }

  /** All names that may be given. */
  public static List<String> names() {
    Set<String> names = new LinkedHashSet<>();
    names.add(NONE);
    names.addAll(SINGLE.keySet());
    TOGETHER.keySet().stream().sorted().forEach(names::add);
    Stream.of(Readers.values()).map(Readers::label).forEach(names::add);
    return List.copyOf(names);
  }

  /**
   * The ablation that the property {@link #PROPERTY} names.
   *
   * @throws IllegalArgumentException as {@link #of} does
   */
  static Ablation chosen() {
    return of(List.of(System.getProperty(PROPERTY, NONE).split(",", -1)));
  }

  /**
   * The ablation of these names together.
   *
   * @throws IllegalArgumentException if one is unknown, or two executors are named
   */
  public static Ablation of(Collection<String> names) {
    List<String> named = new ArrayList<>();
    Set<Switch> off = new LinkedHashSet<>();
    Readers readers = Readers.OWN;
    for (String each : names) {
      String name = each.strip();
      if (!names().contains(name)) {
        throw new IllegalArgumentException("-D" + PROPERTY + "=" + String.join(",", names)
            + ": there is no ablation \"" + name + "\": choose among "
            + String.join(", ", names()));
      }
      Readers executor = executor(name);
      if (executor != null) {
        if (readers != Readers.OWN) {
          throw new IllegalArgumentException("-D" + PROPERTY + "=" + String.join(",", names)
              + " names two executors, but answers are read on one: remove either");
        }
        readers = executor;
      } else if (!name.equals(NONE)) {
        TOGETHER.getOrDefault(name, List.of(name)).forEach(part -> off.add(switchOf(part)));
      }
      if (!name.equals(NONE)) {
        named.add(name);
      }
    }
    return new Ablation(List.copyOf(named), off, readers);
  }

  private static Switch switchOf(String name) {
    Switch found = SINGLE.get(name);
    if (found == null) {
      throw new IllegalStateException("a group names \"" + name + "\", which is not a switch");
    }
    return found;
  }

  private static @Nullable Readers executor(String name) {
    return Stream.of(Readers.values())
        .filter(each -> each.label().equals(name))
        .findFirst()
        .orElse(null);
  }

  /**
   * Switches them off for the lifetime of the engine's classes.
   *
   * @throws IllegalStateException if the engine is in use already
   */
  public void apply() {
    off.forEach(each -> each.off().run());
    for (Switch each : off) {
      if (each.isOn().getAsBoolean()) {
        throw new IllegalStateException(
            each.name() + " cannot be switched off any more: the engine is in use already");
      }
    }
  }

  /** The names of all switches that are off; the first call fixes them. */
  static List<String> offNow() {
    return SINGLE.values().stream()
        .filter(each -> !each.isOn().getAsBoolean())
        .map(Switch::name)
        .toList();
  }

  /** The suffix of the client's version. */
  @Override
  public String toString() {
    return named.isEmpty() ? " with everything" : " without " + String.join(", ", named);
  }
}
