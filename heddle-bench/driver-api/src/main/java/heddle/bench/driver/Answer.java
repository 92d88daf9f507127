package heddle.bench.driver;

/**
 * What came back.
 *
 * @param status the status code, 100 to 999
 * @param bodyBytes how many bytes of content were read
 */
public record Answer(int status, long bodyBytes) {

  /** Whether the status is one of 200 to 299. */
  public boolean isSuccess() {
    return status >= 200 && status <= 299;
  }
}
