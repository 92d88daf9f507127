package heddle.adapters.okhttp;

import heddle.client.HttpClient;
import java.io.IOException;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** What carries the calls of a client: a test with it as a parameter expects no difference. */
enum Stack {
  /** OkHttp itself. */
  STOCK {
    @Override
    Running over(OkHttpClient client) {
      return new Running(client, () -> {});
    }
  },

  /** The client of a {@link HeddleCallFactory}. */
  FACTORY {
    @Override
    Running over(OkHttpClient client) {
      HeddleCallFactory calls = HeddleCallFactory.of(client);
      return new Running(calls.client(), calls::close);
    }
  },

  /** A client to which the interceptor was added by hand. */
  INTERCEPTOR {
    @Override
    Running over(OkHttpClient client) {
      HeddleInterceptor heddle = HeddleInterceptor.of(client);
      return new Running(client.newBuilder().addInterceptor(heddle).build(), heddle::close);
    }
  },

  /** A client of Heddle's that was there before. */
  GIVEN {
    @Override
    Running over(OkHttpClient client) {
      HttpClient heddle = HttpClient.builder().plain().build();
      return new Running(HeddleCallFactory.of(client, heddle).client(), heddle::close);
    }
  };

  abstract Running over(OkHttpClient client);

  Running over(OkHttpClient.Builder builder) {
    return over(builder.build());
  }

  Running start() {
    return over(new OkHttpClient());
  }

  /** A client and what is to be closed after it. */
  record Running(OkHttpClient client, Runnable transport) implements AutoCloseable {
    Response get(HttpUrl url) throws IOException {
      return client.newCall(new Request.Builder().url(url).build()).execute();
    }

    @Override
    public void close() {
      transport.run();
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }
}
