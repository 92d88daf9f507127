package heddle.adapters.support;

import heddle.client.HttpCall;
import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Request;
import java.time.Duration;

/** Content of a request whose memory is reused once the request was written. */
public interface ReusedContent {
  /** Called on the sending thread when the request was written. Idempotent. */
  void sent();

  /**
   * Makes a call that tells such content when its request was written. Calls with other content
   * have no listener, which would cost each of them a little.
   */
  static HttpCall newCall(HttpClient client, Request request) {
    if (!(request.body() instanceof ReusedContent content)) {
      return client.newCall(request);
    }
    return client.newCall(request, new ExchangeListener() {
      @Override
      public void requestSent(AttemptInfo attempt, Duration took) {
        content.sent();
      }
    });
  }
}
