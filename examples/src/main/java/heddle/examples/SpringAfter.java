package heddle.examples;

import heddle.adapters.spring.HeddleClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** Shows a call of Spring's RestClient over Heddle: {@link SpringBefore} with one line changed. */
final class SpringAfter {

  void main(String[] args) {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    ClientHttpRequestFactory requests = new HeddleClientHttpRequestFactory();
    RestClient client = RestClient.builder().requestFactory(requests).build();
    IO.println(client.get().uri(url).retrieve().body(String.class));
  }
}
