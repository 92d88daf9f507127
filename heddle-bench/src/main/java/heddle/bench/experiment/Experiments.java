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

/** The shipped experiments, and those in files of the user. */
public final class Experiments {

  /** The shipped ones, in the order in which they are listed and run. */
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
      "servers",
      "clients",
      "cold-start",
      "fixed-heap");

  private Experiments() {}

  /** Whether an argument on the command line is an experiment: a name or a file. */
  public static boolean isMeant(String word) {
    return NAMES.contains(word) || word.endsWith(".yaml") || word.endsWith(".yml");
  }

  /**
   * Returns the experiment of that name or in that file.
   *
   * @param word the name, or the file
   * @param scale the share of the published size; null for the scale in the file
   * @throws ExperimentException if there is none, or it cannot be used; the message says why
   */
  public static Experiment find(String word, @Nullable Double scale) throws ExperimentException {
    return NAMES.contains(word) ? shipped(word, scale) : ofFile(Path.of(word), scale);
  }

  /** All shipped experiments, at the scale of their files. */
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

  /** The text of a shipped file. */
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
