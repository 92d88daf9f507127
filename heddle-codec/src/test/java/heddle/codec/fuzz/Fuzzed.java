package heddle.codec.fuzz;

/** What Jazzer calls, by name: the target that the property {@code heddle.fuzz.target} names. */
public final class Fuzzed {
  private static final FuzzTarget TARGET =
      FuzzTarget.valueOf(System.getProperty("heddle.fuzz.target", "HTTP1_SERVER"));

  private Fuzzed() {}

  /** Takes one input; whatever it throws is a finding. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    TARGET.run(input);
  }
}
