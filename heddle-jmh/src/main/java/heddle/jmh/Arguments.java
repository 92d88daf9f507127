package heddle.jmh;

/** Reads the arguments of a measurement. */
final class Arguments {
  private Arguments() {}

  /**
   * Returns a number from 1 to {@code most}.
   *
   * @param otherwise what an argument that is not given stands for
   * @throws IllegalArgumentException if the argument is none
   */
  static int number(String[] args, int index, int otherwise, int most, String usage) {
    if (args.length <= index) {
      return otherwise;
    }
    if (!args[index].matches("[1-9]\\d{0,6}") || Integer.parseInt(args[index]) > most) {
      throw new IllegalArgumentException(
          "give " + usage + ", numbers from 1 to " + most + ", not " + args[index]);
    }
    return Integer.parseInt(args[index]);
  }
}
