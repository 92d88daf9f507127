package heddle.adapters.spring;

import java.time.Duration;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;

/** The factories that tests compare: Spring's own for the JDK's client, and Heddle's. */
enum Factories {
  JDK {
    @Override
    ClientHttpRequestFactory make(Duration readTimeout) {
      JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory();
      factory.setReadTimeout(readTimeout);
      return factory;
    }
  },
  HEDDLE {
    @Override
    ClientHttpRequestFactory make(Duration readTimeout) {
      HeddleClientHttpRequestFactory factory = new HeddleClientHttpRequestFactory();
      factory.setReadTimeout(readTimeout);
      return factory;
    }
  };

  abstract ClientHttpRequestFactory make(Duration readTimeout);

  /** What is done with a factory. */
  interface Use {
    void with(ClientHttpRequestFactory factory) throws Exception;
  }

  void use(Use use) throws Exception {
    use(Duration.ofSeconds(30), use);
  }

  void use(Duration readTimeout, Use use) throws Exception {
    ClientHttpRequestFactory factory = make(readTimeout);
    try {
      use.with(factory);
    } finally {
      if (factory instanceof DisposableBean bean) {
        bean.destroy();
      }
    }
  }
}
