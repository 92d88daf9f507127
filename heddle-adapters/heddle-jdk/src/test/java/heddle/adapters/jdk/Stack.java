package heddle.adapters.jdk;

import java.net.http.HttpClient;

/** What makes the calls: a test with it as a parameter expects no difference. */
enum Stack {
  /** The JDK's own client. */
  STOCK {
    @Override
    HttpClient.Builder builder() {
      return HttpClient.newBuilder();
    }
  },

  /** Heddle's. */
  HEDDLE {
    @Override
    HttpClient.Builder builder() {
      return HeddleHttpClient.newBuilder();
    }
  };

  /** For calls straight to the server. */
  abstract HttpClient.Builder builder();

  HttpClient client() {
    return builder().proxy(HttpClient.Builder.NO_PROXY).build();
  }
}
