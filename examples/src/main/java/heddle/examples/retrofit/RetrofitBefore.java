package heddle.examples.retrofit;

import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.ResponseBody;
import retrofit2.Retrofit;
import retrofit2.http.GET;

/** Calls a Retrofit interface; {@link RetrofitAfter} is the same with one line changed. */
final class RetrofitBefore {

  interface Greetings {
    @GET("hello")
    retrofit2.Call<ResponseBody> hello();
  }

  void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "http://127.0.0.1:8080";
    Call.Factory calls = new OkHttpClient();
    Retrofit retrofit = new Retrofit.Builder().baseUrl(url).callFactory(calls).build();
    Greetings greetings = retrofit.create(Greetings.class);
    try (ResponseBody hello = greetings.hello().execute().body()) {
      IO.println(hello == null ? "nothing" : hello.string());
    }
  }
}
