package heddle.verify.torture;

/** One torture: what is done to a process, and the row of the table that tells how it went. */
interface Trial {
  /** Without spaces, so that it can be chosen on the command line. */
  String name();

  /** What is done, in a line. */
  String what();

  /** How many seconds it takes, about. */
  int seconds();

  /** Does it; {@code stalls} are those of the machine meanwhile. */
  Result run(Stalls stalls) throws Exception;
}
