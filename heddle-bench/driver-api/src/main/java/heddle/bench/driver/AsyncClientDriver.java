package heddle.bench.driver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A client raced through an asynchronous API, which delivers the answer on another thread. */
public non-sealed interface AsyncClientDriver extends Driver {

  /**
   * Builds the request once, as far as the client's request objects are reusable.
   *
   * @return an exchange that may be begun by many threads at once
   */
  AsyncExchange prepare(DriverRequest request) throws Exception;

  /** One request, sent each time that it is begun. */
  @FunctionalInterface
  interface AsyncExchange {

    /** Sends the request; {@code completion} is called exactly once, on any thread. */
    void begin(Completion completion);

    /**
     * Sends the request and waits for the end of the exchange.
     *
     * @throws ExecutionException if there was no complete answer; the cause says why
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

  /** Receives the end of an exchange. It may begin the next exchange on the calling thread. */
  interface Completion {

    /** Called when the whole answer was read. */
    void answered(Answer answer);

    /** Called if there was no complete answer. */
    void failed(Throwable cause);
  }
}
