package heddle.verify.soak;

/** Something that must never be was seen. */
final class BrokenInvariant extends AssertionError {
  private static final long serialVersionUID = 1L;

  BrokenInvariant(String what) {
    super(what);
  }

  BrokenInvariant(String what, Throwable cause) {
    super(what, cause);
  }
}
