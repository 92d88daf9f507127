package heddle.bench.result;

import java.util.ArrayList;
import java.util.List;

/** Whether figures are trustworthy. */
public sealed interface Soundness {

  /** There are no doubts. */
  record Valid() implements Soundness {}

  /** The figures count, but the machine was disturbed. */
  record Noisy(List<String> reasons) implements Soundness {

    /** Copies the list. */
    public Noisy {
      reasons = List.copyOf(reasons);
    }
  }

  /** The figures do not count: they are kept for inspection, but not included in medians. */
  record Invalid(List<String> reasons) implements Soundness {

    /** Copies the list. */
    public Invalid {
      reasons = List.copyOf(reasons);
    }
  }

  /** The doubts; empty if there are none. */
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

  /** Judges by the reasons found: one reason to refuse the figures is enough. */
  static Soundness of(List<String> refusing, List<String> disturbing) {
    if (refusing.isEmpty()) {
      return disturbing.isEmpty() ? new Valid() : new Noisy(disturbing);
    }
    List<String> all = new ArrayList<>(refusing);
    all.addAll(disturbing);
    return new Invalid(all);
  }
}
