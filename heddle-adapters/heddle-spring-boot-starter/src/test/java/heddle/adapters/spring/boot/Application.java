package heddle.adapters.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.service.registry.ImportHttpServices;

/** An application as its users write it: nothing in it names Heddle. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ImportHttpServices(group = "looms", types = Application.Grouped.class)
class Application {
  /** An interface that Boot implements. */
  interface Grouped {
    @GetExchange("/looms")
    String looms();
  }

  /** An interface that the application implements with its RestClient. */
  interface Made {
    @GetExchange("/looms")
    String looms();
  }

  @Bean
  RestClient restClient(RestClient.Builder builder) {
    return builder.build();
  }

  @Bean
  RestTemplate restTemplate(RestTemplateBuilder builder) {
    return builder.build();
  }

  /** The callers of an application. */
  enum Caller {
    REST_CLIENT {
      @Override
      String get(ConfigurableApplicationContext context, String url) {
        return context.getBean(RestClient.class).get().uri(url).retrieve().body(String.class);
      }
    },
    REST_TEMPLATE {
      @Override
      String get(ConfigurableApplicationContext context, String url) {
        return context.getBean(RestTemplate.class).getForObject(url, String.class);
      }
    },
    INTERFACE {
      @Override
      String get(ConfigurableApplicationContext context, String url) {
        RestClient client = context
            .getBean(RestClient.Builder.class)
            .baseUrl(url.substring(0, url.lastIndexOf('/')))
            .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
            .build()
            .createClient(Made.class)
            .looms();
      }
    },
    /** Calls the URL of the property {@code spring.http.serviceclient.looms.base-url}. */
    GROUPED {
      @Override
      String get(ConfigurableApplicationContext context, String url) {
        return context.getBean(Grouped.class).looms();
      }
    };

    /** Gets the path {@code /looms}. */
    abstract String get(ConfigurableApplicationContext context, String url);
  }

  /**
   * Starts it.
   *
   * @param properties such as {@code heddle.enabled=false}
   */
  static ConfigurableApplicationContext run(
      List<Class<?>> more, String base, String... properties) {
    List<String> arguments = new ArrayList<>(List.of(
        "--spring.main.banner-mode=off",
        "--logging.level.root=warn",
        "--spring.http.serviceclient.looms.base-url=" + base));
    for (String each : properties) {
      arguments.add("--" + each);
    }
    return new SpringApplicationBuilder(Application.class)
        .sources(more.toArray(Class<?>[]::new))
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .run(arguments.toArray(String[]::new));
  }
}
