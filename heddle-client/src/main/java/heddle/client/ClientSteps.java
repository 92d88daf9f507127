package heddle.client;

import heddle.client.call.CallChain;
import heddle.client.call.Calls;
import heddle.client.call.Race;
import heddle.client.coding.ContentCodings;
import heddle.client.route.RoutePlanner;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.Authenticator;
import heddle.client.spi.CookieStore;
import heddle.client.spi.Interceptor;
import heddle.client.step.Authentication;
import heddle.client.step.Cookies;
import heddle.client.step.DefaultFields;
import heddle.client.step.Redirects;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.EventLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client does between its callers and its connections, as its builder collects it. Not safe
 * for use by several threads.
 */
final class ClientSteps {
  /** Fields that say how a message is framed or routed. */
  static final Set<HeaderName> FRAMING = Set.of(
      HeaderName.CONTENT_LENGTH,
      HeaderName.TRANSFER_ENCODING,
      HeaderName.CONNECTION,
      HeaderName.HOST);

  final List<Interceptor> interceptors = new ArrayList<>();
  final List<Authenticator> authenticators = new ArrayList<>();

  /** Whether {@link DefaultFields#userAgent} is added, which is read from a file. */
  boolean usualUserAgent = true;

  /** The other fields for all requests. */
  final Headers.Builder fields = Headers.builder();

  RedirectPolicy redirects = RedirectPolicy.ofSafeMethods();

  @Nullable
  CookieStore cookies;

  @Nullable
  DecodingLimits decoding = DecodingLimits.DEFAULTS;

  /** Codings in addition to gzip and deflate; null for the installed ones. */
  @Nullable
  List<ContentCoding> codings;

  /** Leaves messages as they are: no redirects, no content codings, no fields. */
  void clear() {
    redirects = RedirectPolicy.never();
    decoding = null;
    usualUserAgent = false;
    fields.clear();
  }

  /** Sets the User-Agent; null for none. */
  void userAgent(@Nullable String value) {
    usualUserAgent = false;
    if (value == null) {
      fields.remove(HeaderName.USER_AGENT);
    } else {
      fields.set(HeaderName.USER_AGENT, value);
    }
  }

  /**
   * Adds a field to all requests.
   *
   * @throws IllegalArgumentException if it cannot be sent, or frames or routes the message
   */
  void field(HeaderName name, String value) {
    if (FRAMING.contains(name)) {
      throw new IllegalArgumentException(
          "a default field must not be " + name + ", which frames or routes the message");
    }
    if (name.equals(HeaderName.USER_AGENT)) {
      userAgent(value);
    } else {
      fields.add(name, value);
    }
  }

  /** Whether messages are sent and returned as they are, but for what users of the client add. */
  boolean isPlain() {
    return redirects.most() == 0
        && decoding == null
        && !usualUserAgent
        && fields.build().isEmpty();
  }

  /** The steps of these calls; null if there are none. */
  @Nullable
  CallChain chain(Calls calls, RoutePlanner routes, @Nullable BaseUrl base, EventLoop loop) {
    Headers.Builder all = Headers.builder();
    if (usualUserAgent) {
      all.add(HeaderName.USER_AGENT, DefaultFields.userAgent());
    }
    DefaultFields defaults =
        new DefaultFields(all.addAll(fields.build()).build(), base == null ? null : base.origin());
    List<Interceptor> steps = inOrder(defaults);
    if (steps.isEmpty()) {
      return null;
    }
    if (!runsUserCode()) {
      return new CallChain(calls, routes, steps, null, shortcut(defaults));
    }
    return new CallChain(calls, routes, steps, new StepScope(loop), null);
  }

  private record StepScope(EventLoop loop) implements CallChain.Scope {
    @Override
    public Response within(Deadline deadline, CallChain.Steps steps) throws IOException {
      return Deadlines.inherit(deadline, loop.clock(), steps::take);
    }

    @Override
    public Race.Entrant cancellable(Request request, Supplier<Calls.Prepared> begin) {
      return HttpCalls.entrant(new HttpCall(request, loop, begin));
    }
  }

  /** From the outermost to the one next to the connections: this order is part of the API. */
  private List<Interceptor> inOrder(DefaultFields defaults) {
    List<Interceptor> steps = new ArrayList<>();
    List<Interceptor> innermost = new ArrayList<>();
    for (Interceptor each : interceptors) {
      (each.isInnermost() ? innermost : steps).add(each);
    }
    if (!defaults.fields().isEmpty()) {
      steps.add(defaults);
    }
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
      steps.add(codings(decoding));
    }
    steps.addAll(innermost);
    return steps;
  }

  private ContentCodings codings(DecodingLimits limits) {
    return new ContentCodings(limits, codings == null ? ContentCoding.installed() : codings);
  }

  /** Whether a step runs code of the user, which may make further calls. */
  private boolean runsUserCode() {
    return !interceptors.isEmpty() || !authenticators.isEmpty() || cookies != null;
  }

  /** A request, and what is made of it. */
  private record Dressed(Request from, Request to) {}

  /** The fields of requests, and what is made of them. */
  private record DressedFields(Headers from, boolean asks, Headers to) {}

  /** What the steps do with all but few calls, if none of them runs code of the user. */
  private CallChain.Shortcut shortcut(DefaultFields defaults) {
    boolean isAsked = defaults.fields().contains(HeaderName.ACCEPT_ENCODING);
    ContentCodings asked = decoding == null || isAsked ? null : codings(decoding);
    boolean follows = redirects.most() > 0;
    boolean sameForAll = defaults.isSameForAll();
    return new CallChain.Shortcut() {
      /** A program may send one request again and again, and many of its calls may wait. */
      private @Nullable Dressed last;

      /** Most requests have the same fields, often none. */
      private @Nullable DressedFields lastFields;

      @Override
      public Request dressed(Request request) {
        Dressed known = last;
        if (known != null && known.from == request) {
          return known.to;
        }
        Request made = make(request);
        if (request.body().length() == 0) {
          last = new Dressed(request, made);
        }
        return made;
      }

      private Request make(Request request) {
        boolean asks = asked != null && ContentCodings.mayAsk(request);
        Headers from = request.headers();
        DressedFields known = lastFields;
        if (known == null || known.from != from || known.asks != asks) {
          known = new DressedFields(from, asks, fields(request, asks));
          lastFields = sameForAll ? known : null;
        }
        return request.toBuilder().headers(known.to).build();
      }

      private Headers fields(Request request, boolean asks) {
        Headers.Builder fields = request.headers().toBuilder();
        if (asks && asked != null) {
          asked.addTo(fields);
        }
        defaults.addTo(fields, request);
        return fields.build();
      }

      @Override
      public boolean concerns(Response response) {
        return (follows && Redirects.concern(response))
            || (asked != null && response.headers().contains(HeaderName.CONTENT_ENCODING));
      }
    };
  }
}
