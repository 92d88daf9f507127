package heddle.bench.driver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A client raced through an asynchronous API: the answer comes on a thread of its own. */
public non-sealed interface AsyncClientDriver extends Driver {

  /**
   * Builds the request once, as far as the client's requests can be used again.
   *
   * @return an exchange that may be begun by many threads at once
   */
  AsyncExchange prepare(DriverRequest request) throws Exception;

  /** One request, sent as often as it is begun. */
  @FunctionalInterface
  interface AsyncExchange {

    /** Sends the request; {@code completion} is told exactly once, on any thread. */
    void begin(Completion completion);

    /**
     * Sends the request and waits for the end of the exchange.
     *
     * @throws ExecutionException when no complete answer came; the cause says why
     */
    default Answer await() throws ExecutionException, InterruptedException {
      CompletableFuture<Answer> end = new CompletableFuture<>();
      begin(new Completion() {
        @Override
        public void answered(Answer answer) {
          end.complete(answer);
        }

        @Override
        public void failed(Throwable cause) {
          end.completeExceptionally(cause);
        }
      });
      return end.get();
    }
  }

  /** Where an exchange ends. It may begin the next exchange on the thread it is called on. */
  interface Completion {

    /** The whole answer was read. */
    void answered(Answer answer);

    /** No complete answer came. */
    void failed(Throwable cause);
  }
}
