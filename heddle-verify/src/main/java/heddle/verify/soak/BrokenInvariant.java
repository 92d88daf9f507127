package heddle.verify.soak;

/** An invariant did not hold. */
final class BrokenInvariant extends AssertionError {
  private static final long serialVersionUID = 1L;

  BrokenInvariant(String what) {
    super(what);
  }

  BrokenInvariant(String what, Throwable cause) {
    super(what, cause);
  }
}
