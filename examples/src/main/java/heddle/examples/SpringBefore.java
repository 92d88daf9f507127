package heddle.examples;

import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** Shows a call of Spring's RestClient; {@link SpringAfter} is the same with one line changed. */
final class SpringBefore {

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    ClientHttpRequestFactory requests = new JdkClientHttpRequestFactory();
    RestClient client = RestClient.builder().requestFactory(requests).build();
    IO.println(client.get().uri(url).retrieve().body(String.class));
  }
}
