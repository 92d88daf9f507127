package heddle.examples;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import heddle.adapters.langchain4j.HeddleHttpClientBuilder;

/** Calls as LangChain4j's models do, over Heddle: one line of {@link LangChain4jBefore} differs. */
final class LangChain4jAfter {

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    HttpClientBuilder builder = new HeddleHttpClientBuilder();
    HttpRequest request = HttpRequest.builder().method(HttpMethod.GET).url(url).build();
    IO.println(builder.build().execute(request).body());
  }
}
