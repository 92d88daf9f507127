package heddle.client;

import heddle.client.call.CallChain;
import heddle.client.call.Calls;
import heddle.client.coding.ContentCodings;
import heddle.client.route.RoutePlanner;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.Authenticator;
import heddle.client.spi.CookieStore;
import heddle.client.spi.Interceptor;
import heddle.client.step.Authentication;
import heddle.client.step.Cookies;
import heddle.client.step.Redirects;
import heddle.transport.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a client's calls, as its builder collects them. Not safe for use by several threads.
 */
final class Steps {
  /** The user's interceptors, outermost first. */
  final List<Interceptor> interceptors = new ArrayList<>();

  RedirectPolicy redirects = RedirectPolicy.never();

  /** Null if no cookies are kept. */
  @Nullable
  CookieStore cookies;

  /** Asked one after the other. */
  final List<Authenticator> authenticators = new ArrayList<>();

  /** Null if content is not decoded. */
  @Nullable
  DecodingLimits decoding;

  /** The chain over a client's calls; null if there are no steps. */
  @Nullable
  CallChain over(Calls calls, RoutePlanner routes, Clock clock) {
    List<Interceptor> steps = inOrder();
    if (steps.isEmpty()) {
      return null;
    }
    CallChain.Scope scope =
        runsUserCode() ? (deadline, rest) -> Deadlines.inherit(deadline, clock, rest) : null;
    return new CallChain(calls, routes, steps, scope);
  }

  /** From the outermost to the one next to the connections: this order is part of the API. */
  private List<Interceptor> inOrder() {
    List<Interceptor> steps = new ArrayList<>(interceptors);
    if (redirects.most() > 0) {
      steps.add(new Redirects(redirects));
    }
    if (cookies != null) {
      steps.add(new Cookies(cookies));
    }
    if (!authenticators.isEmpty()) {
      steps.add(new Authentication(authenticators));
    }
    if (decoding != null) {
      steps.add(new ContentCodings(decoding));
    }
    return steps;
  }

  /** Whether a step runs code of the user, which may make further calls. */
  private boolean runsUserCode() {
    return !interceptors.isEmpty() || !authenticators.isEmpty() || cookies != null;
  }
}
