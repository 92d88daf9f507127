package heddle.client.settings;

import heddle.http.HeaderName;
import heddle.http.Request;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Which redirects a client follows (RFC 9110 section 15.4). Immutable; safe for use by many threads
 * if its {@link Builder#onlyIf condition} is.
 *
 * <p>The client follows 301, 302, 303, 307 and 308 if there is one Location that is an http or
 * https URL, or relative to that of the request; the caller gets others. After 303 the next request
 * is a GET, or a HEAD after a HEAD; a POST becomes a GET after 301 and 302; any other request keeps
 * method and content, if its body is {@linkplain heddle.http.Body#isReplayable replayable}.
 *
 * <p>Authorization, Cookie, Proxy-Authorization, Host and {@linkplain Builder#sensitive sensitive}
 * fields are not sent to another origin, nor later in the call, even if that returns to the first
 * origin. A request that becomes a GET loses the fields that describe its content. The client adds
 * no Referer, and never sends fragments.
 */
public final class RedirectPolicy {
  private static final RedirectPolicy NEVER = new RedirectPolicy(builder(), 0);
  private static final RedirectPolicy STANDARD = builder().build();
  private static final RedirectPolicy OF_SAFE_METHODS =
      builder().onlyIf((redirected, next) -> redirected.method().isSafe()).build();

  private final int most;
  private final boolean toCleartext;
  private final Set<HeaderName> sensitive;
  private final BiPredicate<Request, Request> condition;

  private RedirectPolicy(Builder builder, int most) {
    this.most = most;
    this.toCleartext = builder.toCleartext;
    this.sensitive = builder.sensitive;
    this.condition = builder.condition;
  }

  /** Follows no redirects: the caller gets them. */
  public static RedirectPolicy never() {
    return NEVER;
  }

  /**
   * As {@link #standard()}, but only of requests whose method is {@linkplain
   * heddle.http.Method#isSafe() safe}, such as GET: no content is sent again, and no POST becomes a
   * GET. This is the default.
   */
  public static RedirectPolicy ofSafeMethods() {
    return OF_SAFE_METHODS;
  }

  /** Follows at most 10 redirects per call, and none from https to http. */
  public static RedirectPolicy standard() {
    return STANDARD;
  }

  /** A builder with the rules of {@link #standard()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** How many are followed in one call; 0 for none. */
  public int most() {
    return most;
  }

  /** Whether one from https to http is followed. */
  public boolean isToCleartextAllowed() {
    return toCleartext;
  }

  /** The fields that are not sent to another origin, in addition to the standard ones. */
  public Set<HeaderName> sensitive() {
    return sensitive;
  }

  /** Whether the condition allows one request to follow another. */
  public boolean allows(Request redirected, Request next) {
    return condition.test(redirected, next);
  }

  /** Collects a policy. Not safe for use by several threads. */
  public static final class Builder {
    private int most = 10;
    private boolean toCleartext;
    private Set<HeaderName> sensitive = Set.of();
    private BiPredicate<Request, Request> condition = (redirected, next) -> true;

    private Builder() {}

    /**
     * How many redirects a call follows before it fails with {@link
     * heddle.http.failure.TooManyRedirectsException}; 10 by default.
     *
     * @param redirects 1 to 100
     * @throws IllegalArgumentException if it is out of this range
     */
    public Builder most(int redirects) {
      if (redirects < 1 || redirects > 100) {
        throw new IllegalArgumentException("most must be 1 to 100, not " + redirects);
      }
      most = redirects;
      return this;
    }

    /**
     * Follows redirects from https to http too: anyone on the network path can then read the
     * request and forge the response. Off by default.
     */
    public Builder toCleartext() {
      toCleartext = true;
      return this;
    }

    /** Fields that must not be sent to another origin, such as those that hold an API key. */
    public Builder sensitive(HeaderName... names) {
      sensitive = Set.of(names);
      return this;
    }

    /**
     * Follows only redirects for which the condition holds, given the redirected request and the
     * next one. Tested on the thread that makes the call.
     */
    public Builder onlyIf(BiPredicate<Request, Request> newCondition) {
      condition = newCondition;
      return this;
    }

    /** Builds the policy. */
    public RedirectPolicy build() {
      return new RedirectPolicy(this, most);
    }
  }
}
