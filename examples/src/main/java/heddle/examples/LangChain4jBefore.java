package heddle.examples;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;

/** Calls as LangChain4j's models do; {@link LangChain4jAfter} is the same with one line changed. */
final class LangChain4jBefore {

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    HttpClientBuilder builder = new JdkHttpClientBuilder();
    HttpRequest request = HttpRequest.builder().method(HttpMethod.GET).url(url).build();
    IO.println(builder.build().execute(request).body());
  }
}
