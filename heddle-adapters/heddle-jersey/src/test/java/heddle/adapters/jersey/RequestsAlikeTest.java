package heddle.adapters.jersey;

import static heddle.adapters.jersey.Alike.alike;
import static heddle.adapters.jersey.Alike.alikeWith;
import static heddle.adapters.jersey.Alike.at;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.io.ByteArrayInputStream;
import java.io.FilterOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.RequestEntityProcessing;
import org.glassfish.jersey.client.authentication.HttpAuthenticationFeature;
import org.glassfish.jersey.client.filter.CsrfProtectionFilter;
import org.glassfish.jersey.client.filter.EncodingFeature;
import org.glassfish.jersey.message.GZipEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server gets the same requests from Jersey's own connector and from Heddle's. */
@Timeout(60)
final class RequestsAlikeTest {
  private static final MockHandler OK = request -> MockResponse.ok("ok");

  private static int status(Response answer) {
    try (Response response = answer) {
      return response.getStatus();
    }
  }

  // ---- methods and entities

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "DELETE", "POST", "PUT"})
  void methodWithoutEntity(String method) throws Exception {
    alike(
        OK,
        target -> status(at(target, "a")
            .property(ClientProperties.SUPPRESS_HTTP_COMPLIANCE_VALIDATION, true)
            .method(method)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "DELETE", "POST", "PUT"})
  void methodWithEntity(String method) throws Exception {
    alike(
        OK,
        target -> status(at(target, "a")
            .property(ClientProperties.SUPPRESS_HTTP_COMPLIANCE_VALIDATION, true)
            .method(method, Entity.text("warp"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "DELETE"})
  void entityThatAMethodHasNoUseForIsRefusedByJersey(String method) throws Exception {
    String told = alike(OK, target -> at(target, "a").method(method, Entity.text("warp")));
    assertTrue(told.startsWith("IllegalStateException"), told);
  }

  @Test
  void emptyEntity() throws Exception {
    alike(
        OK,
        target -> status(at(target, "a").post(Entity.text("")))
            + status(at(target, "b").put(Entity.entity(new byte[0], "application/x-loom"))));
  }

  @ParameterizedTest
  @EnumSource
  void processingOfEntities(RequestEntityProcessing processing) throws Exception {
    for (int size : List.of(0, 1, 10_000, 300_000)) {
      alike(
          OK,
          target -> status(at(target, "a")
              .property(ClientProperties.REQUEST_ENTITY_PROCESSING, processing)
              .post(Entity.entity(new byte[size], MediaType.APPLICATION_OCTET_STREAM_TYPE))));
    }
  }

  @Test
  void entitiesOfAllKindsThatJerseyWrites() throws Exception {
    alike(OK, target -> {
      at(target, "text").post(Entity.entity("wärp", "text/plain;charset=UTF-8")).close();
      at(target, "form").post(Entity.form(new Form("a", "b c").param("d", "é"))).close();
      at(target, "stream")
          .post(Entity.entity(
              new ByteArrayInputStream(new byte[] {65, 66}), MediaType.APPLICATION_OCTET_STREAM))
          .close();
      StreamingOutput writes = out -> out.write("weft".getBytes(StandardCharsets.UTF_8));
      at(target, "writes").put(Entity.entity(writes, MediaType.TEXT_PLAIN)).close();
      at(target, "language")
          .post(Entity.entity(
              "x",
              new jakarta.ws.rs.core.Variant(MediaType.TEXT_PLAIN_TYPE, Locale.GERMAN, "identity")))
          .close();
      return "";
    });
  }

  // ---- URIs

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a/b",
        "/a%2Fb",
        "/a%20b",
        "/?",
        "/?a",
        "/?a=%26&b=+",
        "/a;b=c/d",
        "//a//b",
        "/a/../b",
        "/~a!$&'()*+,=:@",
        "/#part",
        "/a?b#part",
        "/%7Ea%7e"
      })
  void targetOfARequest(String path) throws Exception {
    alikeWith(OK, (client, url) -> status(client.target(url + path).request().get()));
  }

  @Test
  void parametersThatJerseyEncodes() throws Exception {
    alike(
        OK,
        target -> status(target
            .path("{a}/x y")
            .resolveTemplate("a", "é/ü")
            .queryParam("q", "a b&c=d", "%41")
            .matrixParam("m", "n;o")
            .request()
            .get()));
  }

  // ---- fields

  @Test
  void fieldsOfABuilder() throws Exception {
    alike(OK, target -> {
      CacheControl fresh = new CacheControl();
      fresh.setNoCache(true);
      fresh.setMaxAge(7);
      MultivaluedHashMap<String, Object> more = new MultivaluedHashMap<>();
      more.add("X-Set", 1);
      more.add("X-Set", true);
      return status(target
              .request("application/json", "application/xml;q=0.5")
              .acceptLanguage("de", "en;q=0.3")
              .acceptEncoding("br", "gzip")
              .cacheControl(fresh)
              .cookie("weft", "red")
              .header("X-Size", 7L)
              .header("X-Type", MediaType.TEXT_HTML_TYPE)
              .get())
          + status(at(target, "more").headers(more).header("X-Own", "kept").get());
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "\"quoted, text\"", "tab\there", " around\t", " "})
  void valueOfAField(String value) throws Exception {
    alike(OK, target -> status(at(target, "a").header("X-Warp", value).get()));
  }

  @Test
  void userAgentOfTheUserAndNone() throws Exception {
    alike(
        request -> MockResponse.ok(String.valueOf(request.header("User-Agent"))),
        target -> at(target, "a").header("User-Agent", "loom/1").get(String.class));
  }

  // ---- filters and interceptors

  @Test
  void filterChangesTheRequest() throws Exception {
    ClientRequestFilter filter = context -> {
      context.setUri(URI.create(context.getUri() + "/changed"));
      context.setMethod("PUT");
      context.getHeaders().putSingle("X-Warp", "set");
      context.setEntity("other", null, MediaType.TEXT_PLAIN_TYPE);
    };
    alike(
        OK,
        target -> status(target.path("a").register(filter).request().post(Entity.text("mine"))));
  }

  @Test
  void filterThatAborts() throws Exception {
    ClientRequestFilter filter =
        context -> context.abortWith(Response.status(418).entity("short").build());
    String told = alike(OK, target -> {
      try (Response response = target.path("a").register(filter).request().get()) {
        return response.getStatus() + response.readEntity(String.class);
      }
    });
    assertTrue(told.equals("418short\n"), told);
  }

  @Test
  void interceptorChangesWhatIsWritten() throws Exception {
    WriterInterceptor upper = context -> {
      OutputStream out = context.getOutputStream();
      context.setOutputStream(new FilterOutputStream(out) {
        @Override
        public void write(int octet) throws java.io.IOException {
          out.write(Character.toUpperCase(octet));
        }
      });
      context.getHeaders().putSingle("X-Case", "upper");
      context.proceed();
    };
    WriterInterceptor zip = context -> {
      context.getHeaders().putSingle("Content-Encoding", "x-loom");
      try (GZIPOutputStream zipped = new GZIPOutputStream(context.getOutputStream())) {
        context.setOutputStream(zipped);
        context.proceed();
      }
    };
    alike(
        OK,
        target -> status(target.register(upper).request().post(Entity.text("warp")))
            + status(target.path("z").register(zip).request().post(Entity.text("weft"))));
  }

  @Test
  void featuresOfJerseys() throws Exception {
    alike(
        OK,
        target -> status(target
                .register(new EncodingFeature("gzip", GZipEncoder.class))
                .request()
                .post(Entity.text("warp".repeat(100))))
            + status(target
                .path("csrf")
                .register(new CsrfProtectionFilter("loom"))
                .request()
                .post(Entity.text("x"))));
  }

  // ---- authentication, by Jersey's feature

  private static final MockHandler PROTECTED = request -> request.header("Authorization") == null
      ? MockResponse.of(401)
          .header("WWW-Authenticate", challenge(request.target()))
          .body("no")
      : MockResponse.ok("in");

  private static String challenge(String target) {
    return target.startsWith("/digest")
        ? "Digest realm=\"loom\", nonce=\"n\", algorithm=MD5"
        : "Basic realm=\"loom\"";
  }

  private static HttpAuthenticationFeature both() {
    return HttpAuthenticationFeature.universalBuilder()
        .credentialsForBasic("user", "sécret")
        .credentialsForDigest("user", "secret")
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic", "digest"})
  void authenticationAfterAChallenge(String scheme) throws Exception {
    alike(PROTECTED, target -> {
      WebTarget known = target.path(scheme).register(both());
      return known.request().get(String.class)
          + known.request().post(Entity.text("warp"), String.class)
          + status(known.request().head());
    });
  }

  @Test
  void authenticationBeforeAChallenge() throws Exception {
    alike(PROTECTED, target -> target
        .register(HttpAuthenticationFeature.basic("user", "secret"))
        .request()
        .put(Entity.text("weft"), String.class));
  }

  @Test
  void challengeIsTheResponseIfThereAreNoCredentials() throws Exception {
    alike(PROTECTED, target -> {
      try (Response response = at(target, "basic").post(Entity.text("x"))) {
        return response.getStatus()
            + response.getHeaderString("WWW-Authenticate")
            + response.readEntity(String.class);
      }
    });
  }
}
