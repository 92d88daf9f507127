package heddle.bench.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The experiments that have a name, and those that people keep in files of their own. */
public final class Experiments {

  /** Those that are shipped, in the order in which they are told and run. */
  public static final List<String> NAMES = List.of(
      "held",
      "paced-1k",
      "paced-10k",
      "paced-100k",
      "http2-matrix",
      "http2-ablation",
      "pool",
      "search",
      "batch",
      "server-threads",
      "cold-start",
      "fixed-heap");

  private Experiments() {}

  /** Whether a word on the command line means an experiment: a name, or a file. */
  public static boolean isMeant(String word) {
    return NAMES.contains(word) || word.endsWith(".yaml") || word.endsWith(".yml");
  }

  /**
   * The experiment of that name or in that file.
   *
   * @param word the name, or the file
   * @param scale the share of the published size; null for what its file says
   * @throws ExperimentException when there is none, or it cannot be used; the message says why
   */
  public static Experiment find(String word, @Nullable Double scale) throws ExperimentException {
    return NAMES.contains(word) ? shipped(word, scale) : ofFile(Path.of(word), scale);
  }

  /** All that are shipped, at the scale that their files say. */
  public static List<Experiment> all() {
    List<Experiment> all = new ArrayList<>();
    for (String name : NAMES) {
      try {
        all.add(shipped(name, null));
      } catch (ExperimentException e) {
        throw new IllegalStateException(e);
      }
    }
    return all;
  }

  private static Experiment shipped(String name, @Nullable Double scale)
      throws ExperimentException {
    return ExperimentReader.read(name + ".yaml", text(name + ".yaml"), scale);
  }

  /** What a shipped file says. */
  static String text(String resource) {
    try (InputStream in = Experiments.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + resource + " among the resources");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  private static Experiment ofFile(Path file, @Nullable Double scale) throws ExperimentException {
    try {
      return ExperimentReader.read(file.toString(), Files.readString(file), scale);
    } catch (NoSuchFileException e) {
      throw new ExperimentException("there is no file " + file + ", and no experiment of that name:"
          + " choose among " + String.join(", ", NAMES));
    } catch (IOException e) {
      throw new ExperimentException(file + " cannot be read: " + e);
    }
  }
}
