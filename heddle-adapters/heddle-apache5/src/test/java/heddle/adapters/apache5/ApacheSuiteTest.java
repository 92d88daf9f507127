package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.testing.framework.ClientPOJOAdapter;
import org.apache.hc.core5.testing.framework.ClientTestingAdapter;
import org.apache.hc.core5.testing.framework.TestingFramework;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Apache's own testing framework: six methods with each of two statuses, against its server. */
@Timeout(60)
class ApacheSuiteTest {
  @ParameterizedTest
  @EnumSource
  void allMethodsAreAnswered(Stack stack) throws Exception {
    try (Stack.Running running = stack.start()) {
      Adapter adapter = new Adapter(running.client());
      new TestingFramework(new ClientTestingAdapter(adapter)).runTests();
      assertEquals(12, adapter.calls);
    }
  }

  /** Sends the request that the framework describes, and describes the response. */
  private static final class Adapter extends ClientPOJOAdapter {
    private final CloseableHttpClient client;
    private int calls;

    Adapter(CloseableHttpClient client) {
      this.client = client;
    }

    @Override
    public String getClientName() {
      return "Apache HttpClient";
    }

    @Override
    public Map<String, Object> execute(String base, Map<String, Object> request) throws Exception {
      calls++;
      var sent =
          new BasicClassicHttpRequest(String.valueOf(request.get(METHOD)), uri(base, request));
      if (request.get(PROTOCOL_VERSION) instanceof ProtocolVersion version) {
        sent.setVersion(version);
      }
      if (request.get(HEADERS) instanceof Map<?, ?> headers) {
        headers.forEach((name, value) -> sent.addHeader(String.valueOf(name), value));
      }
      if (request.get(BODY) instanceof String body) {
        sent.setEntity(
            new StringEntity(body, ContentType.parse(String.valueOf(request.get(CONTENT_TYPE)))));
      }
      return client.execute(sent, Adapter::described);
    }

    private static URI uri(String base, Map<String, Object> request) {
      String query = request.get(QUERY) instanceof Map<?, ?> parameters
          ? parameters.entrySet().stream()
              .map(each -> each.getKey() + "=" + each.getValue())
              .collect(Collectors.joining("&", "?", ""))
          : "";
      String slash = base.endsWith("/") ? "" : "/";
      return URI.create(base + slash + request.get(PATH) + query);
    }

    private static Map<String, Object> described(ClassicHttpResponse response)
        throws IOException, ParseException {
      Map<String, Object> answer = new HashMap<>();
      answer.put(STATUS, response.getCode());
      Map<String, Object> headers = new HashMap<>();
      for (Header header : response.getHeaders()) {
        headers.put(header.getName(), header.getValue());
      }
      answer.put(HEADERS, headers);
      HttpEntity entity = response.getEntity();
      answer.put(BODY, entity == null ? null : EntityUtils.toString(entity));
      answer.put(CONTENT_TYPE, entity == null ? null : entity.getContentType());
      return answer;
    }
  }
}
