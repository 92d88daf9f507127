package heddle.verify.sample.client;

import heddle.verify.sample.http.ImportsTheFacade;
import org.jspecify.annotations.Nullable;

/** May know values: the other half of the cycle. */
public interface Facade {
  @Nullable
  ImportsTheFacade value();
}
