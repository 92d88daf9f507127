package heddle.bench.result;

import java.util.ArrayList;
import java.util.List;

/** Whether figures may be taken for what they seem to be. */
public sealed interface Soundness {

  /** Nothing speaks against them. */
  record Valid() implements Soundness {}

  /** They count, but the machine was disturbed. */
  record Noisy(List<String> reasons) implements Soundness {

    /** Keeps a copy. */
    public Noisy {
      reasons = List.copyOf(reasons);
    }
  }

  /** They do not count: they are kept for who wants to know why, and in no median. */
  record Invalid(List<String> reasons) implements Soundness {

    /** Keeps a copy. */
    public Invalid {
      reasons = List.copyOf(reasons);
    }
  }

  /** What speaks against them; empty where nothing does. */
  default List<String> reasons() {
    return switch (this) {
      case Valid _ -> List.of();
      case Noisy(List<String> reasons) -> reasons;
      case Invalid(List<String> reasons) -> reasons;
    };
  }

  /** {@code valid}, {@code noisy} or {@code invalid}. */
  default String label() {
    return switch (this) {
      case Valid _ -> "valid";
      case Noisy _ -> "noisy";
      case Invalid _ -> "invalid";
    };
  }

  /** By what was found: one reason to refuse them is enough. */
  static Soundness of(List<String> refusing, List<String> disturbing) {
    if (refusing.isEmpty()) {
      return disturbing.isEmpty() ? new Valid() : new Noisy(disturbing);
    }
    List<String> all = new ArrayList<>(refusing);
    all.addAll(disturbing);
    return new Invalid(all);
  }
}
