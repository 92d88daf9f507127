package heddle.adapters.spring.boot;

import heddle.micrometer.HeddleMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Offers Boot a builder of request factories over Heddle, unless the application has a {@link
 * ClientHttpRequestFactoryBuilder} bean, {@code spring.http.clients.imperative.factory} names
 * another client, or {@code heddle.enabled} is false.
 */
@AutoConfiguration(
    after = HttpClientAutoConfiguration.class,
    before = ImperativeHttpClientAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "heddle.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(ClientHttpRequestFactoryBuilder.class)
@Conditional(HeddleAutoConfiguration.NoOtherFactory.class)
public final class HeddleAutoConfiguration {
  /** Creates the configuration. */
  public HeddleAutoConfiguration() {}

  /** Matches unless the application names the client that Boot should use. */
  static final class NoOtherFactory extends SpringBootCondition {
    private static final String FACTORY = "spring.http.clients.imperative.factory";

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      String named = context.getEnvironment().getProperty(FACTORY);
      ConditionMessage.Builder message = ConditionMessage.forCondition("Heddle");
      return named == null
          ? ConditionOutcome.match(message.because(FACTORY + " is not set"))
          : ConditionOutcome.noMatch(message.because(FACTORY + " is " + named));
    }
  }

  @Bean
  SharedClients heddleClients(ObjectProvider<ClientMeters> meters) {
    return new SharedClients(meters.getIfAvailable());
  }

  @Bean
  ClientHttpRequestFactoryBuilder<?> heddleClientHttpRequestFactoryBuilder(
      SharedClients clients,
      ObjectProvider<ClientHttpRequestFactoryBuilderCustomizer<?>> customizers) {
    return customized(new HeddleClientHttpRequestFactoryBuilder(clients), customizers);
  }

  /** Applies the customizers that Boot would apply to a builder of this kind. */
  @SuppressWarnings("unchecked") // a callback for another kind of builder is not called
  private static ClientHttpRequestFactoryBuilder<?> customized(
      ClientHttpRequestFactoryBuilder<?> builder,
      ObjectProvider<ClientHttpRequestFactoryBuilderCustomizer<?>> customizers) {
    ClientHttpRequestFactoryBuilder<?>[] customized = {builder};
    LambdaSafe.callbacks(
            ClientHttpRequestFactoryBuilderCustomizer.class,
            customizers.orderedStream().toList(),
            builder)
        .invoke(each -> customized[0] = each.customize(customized[0]));
    return customized[0];
  }

  /** Meters, if the application has Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterRegistry.class, HeddleMetrics.class})
  static final class Meters {
    @Bean
    ClientMeters heddleClientMeters(
        ObjectProvider<MeterRegistry> registries, ObjectProvider<SharedClients> clients) {
      return new MicrometerMeters(registries, clients);
    }
  }
}
