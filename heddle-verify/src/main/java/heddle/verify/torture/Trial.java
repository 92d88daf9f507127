package heddle.verify.torture;

/** One trial: what is done to a process, and the row of the table with its result. */
interface Trial {
  /** Without spaces, so that it can be chosen on the command line. */
  String name();

  /** What is done, in a line. */
  String what();

  /** About how many seconds it takes. */
  int seconds();

  /** Runs the trial; {@code stalls} are those of the machine meanwhile. */
  Result run(Stalls stalls) throws Exception;
}
