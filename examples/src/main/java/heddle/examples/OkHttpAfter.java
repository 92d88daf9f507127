package heddle.examples;

import heddle.adapters.okhttp.HeddleCallFactory;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Shows a call of OkHttp over Heddle: {@link OkHttpBefore} with one line changed. */
final class OkHttpAfter {

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080/hello";
    OkHttpClient client = new OkHttpClient();
    Call.Factory calls = HeddleCallFactory.of(client);
    try (Response response =
        calls.newCall(new Request.Builder().url(url).build()).execute()) {
      IO.println(response.code() + " " + response.body().string());
    }
  }
}
