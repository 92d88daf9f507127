package heddle.client.spi;

import heddle.http.HeaderName;
import heddle.http.Request;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Which redirects a client follows (RFC 9110 section 15.4). Immutable; safe for use by many threads
 * where its {@link Builder#onlyIf condition} is.
 *
 * <p>Followed are 301, 302, 303, 307 and 308 with one Location that is an http or https URL, or is
 * relative to the one that was asked for. After 303 comes a GET, or a HEAD after a HEAD; a POST
 * becomes a GET after 301 and 302; any other request keeps its method and content, and is sent
 * again only where its body can be {@linkplain heddle.http.Body#isReplayable produced again}. What
 * is not followed is handed to the caller as it came.
 *
 * <p>Another origin gets neither Authorization nor Cookie nor Proxy-Authorization nor Host, nor
 * what was called {@linkplain Builder#sensitive sensitive}, and nor does any later request of the
 * call, even if it comes back. A request that becomes a GET loses the fields that describe its
 * content. No Referer is made up, and fragments are never sent.
 */
public final class RedirectPolicy {
  private static final RedirectPolicy NEVER = new RedirectPolicy(builder(), 0);
  private static final RedirectPolicy STANDARD = builder().build();

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

  /** None is followed: the caller gets them all. What a client does that was told nothing else. */
  public static RedirectPolicy never() {
    return NEVER;
  }

  /** At most 10 in a call, and none from https to http. */
  public static RedirectPolicy standard() {
    return STANDARD;
  }

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

  /** The fields that no other origin gets, beside those that none ever gets. */
  public Set<HeaderName> sensitive() {
    return sensitive;
  }

  /** Whether the condition lets one request follow another. */
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
     * Follows redirects from https to http too, so that whoever listens on the way learns what is
     * asked for, and can answer in the server's place. Not followed by default.
     */
    public Builder toCleartext() {
      toCleartext = true;
      return this;
    }

    /** Fields that no other origin may get, such as those that hold a key of the application. */
    public Builder sensitive(HeaderName... names) {
      sensitive = Set.of(names);
      return this;
    }

    /**
     * Follows those alone for which this holds, of the request that was redirected and the one that
     * would come next. Tested on the thread that makes the call.
     */
    public Builder onlyIf(BiPredicate<Request, Request> newCondition) {
      condition = newCondition;
      return this;
    }

    public RedirectPolicy build() {
      return new RedirectPolicy(this, most);
    }
  }
}
