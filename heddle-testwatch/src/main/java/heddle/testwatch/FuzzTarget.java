package heddle.testwatch;

import java.util.List;

/**
 * What takes any bytes, and must fail in no way but the documented ones: a constant of an enum, of
 * which a module with parsers has one. {@link FuzzContract} runs it.
 */
public interface FuzzTarget {
  /** The name of the constant. */
  String name();

  /**
   * Takes one input. Whatever it throws is a finding, and so is an allocation beyond {@link
   * #maxAllocatedBytes}.
   */
  void run(byte[] input) throws Exception;

  /** What the search begins with: valid inputs and broken ones, none of them empty. */
  List<byte[]> seeds();

  /** The most that one run may allocate in all, in bytes: by what has arrived, not announced. */
  default long maxAllocatedBytes(byte[] input) {
    return (4L << 20) + 1024L * input.length;
  }
}
