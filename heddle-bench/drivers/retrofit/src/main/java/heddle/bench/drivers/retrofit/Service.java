package heddle.bench.drivers.retrofit;

import okhttp3.RequestBody;
import okhttp3.ResponseBody;
import retrofit2.Call;
import retrofit2.http.Body;
import retrofit2.http.GET;
import retrofit2.http.POST;
import retrofit2.http.Streaming;
import retrofit2.http.Url;

/** The interface that Retrofit implements: raw content, collected or streamed. */
interface Service {

  @GET
  Call<ResponseBody> get(@Url String url);

  @GET
  @Streaming
  Call<ResponseBody> getLarge(@Url String url);

  @POST
  Call<ResponseBody> post(@Url String url, @Body RequestBody content);

  @POST
  @Streaming
  Call<ResponseBody> postForLarge(@Url String url, @Body RequestBody content);
}
