package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.BasicAuthenticator;
import heddle.client.spi.BearerTokens;
import heddle.cookies.Rfc6265CookieStore;
import heddle.http.HeaderName;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import java.util.function.Supplier;

/** The code of docs/guide/redirects-cookies-authentication.md. */
final class Sessions {
  private Sessions() {}

  static HttpClient redirects() {
    // doc: redirects
    HttpClient client = HttpClient.builder()
        .redirects(RedirectPolicy.builder()
            .most(5)
            .sensitive(HeaderName.of("X-Api-Key")) // not sent to another origin
            .build())
        .build();
    // doc: end
    return client;
  }

  static void whence(HttpClient client, String url) throws IOException {
    // doc: whence
    try (Response response = client.get(url)) {
      System.out.println(response.earlier().size() + " before " + response.request());
    }
    // doc: end
  }

  static HttpClient cookies() {
    // doc: cookies
    HttpClient client =
        HttpClient.builder().cookies(Rfc6265CookieStore.create()).build();
    // doc: end
    return client;
  }

  static HttpClient basic(Origin origin, String user, String password) {
    // doc: basic
    HttpClient client = HttpClient.builder()
        .authenticator(BasicAuthenticator.forOrigin(origin, user, password).preemptive())
        .build();
    // doc: end
    return client;
  }

  static HttpClient token(String base, String token) {
    // doc: token
    HttpClient client = HttpClient.builder()
        .baseUrl(base)
        .header("Authorization", "Bearer " + token)
        .build();
    // doc: end
    return client;
  }

  static HttpClient bearer(Origin api, Supplier<String> token) {
    // doc: bearer
    HttpClient client = HttpClient.builder()
        .interceptor((request, chain) -> {
          Request next = request.origin().equals(api)
              ? request.toBuilder()
                  .header(HeaderName.AUTHORIZATION, "Bearer " + token.get())
                  .build()
              : request;
          return chain.proceed(next);
        })
        .build();
    // doc: end
    return client;
  }

  static HttpClient refreshing(Origin api, BearerTokens.Source login) {
    // doc: refresh
    HttpClient client = HttpClient.builder()
        .interceptor(BearerTokens.forOrigin(api, login)) // login fetches a new token
        .build();
    // doc: end
    return client;
  }
}
