package heddle.web;

import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.RefusedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the routes of a group have in common. Immutable and safe for use by many threads. */
final class Scope {
  private final @Nullable Scope around;
  private final int depth;
  private final List<Filter> filters;
  private final ErrorHandlers errors;
  private final ExchangeHandler withoutRoute;

  /**
   * @param around the group around it; null for the whole router
   */
  Scope(@Nullable Scope around, List<Filter> filters, ErrorHandlers errors) {
    this.around = around;
    this.depth = around == null ? 0 : around.depth + 1;
    this.filters = List.copyOf(filters);
    this.errors = errors.within(around == null ? null : around.errors);
    this.withoutRoute = chain(exchange -> WebExchange.of(exchange).answerWithoutRoute());
  }

  /**
   * The filters of the router, of the groups inwards, and the handler. Each filter sees the
   * responses of the error handlers, and exceptions for which there is none.
   */
  ExchangeHandler chain(ExchangeHandler handler) {
    return behindFilters(errors.guard(handler));
  }

  private ExchangeHandler behindFilters(ExchangeHandler handler) {
    ExchangeHandler next = handler;
    for (Filter filter : filters.reversed()) {
      next = errors.guard(filter.before(next));
    }
    return around == null ? next : around.behindFilters(next);
  }

  /** A request was refused before any filter of the group. */
  void refused(RefusedRequest request) {
    filters.forEach(filter -> filter.refused(request));
  }

  /** Answers requests that no route of this group answers, behind its filters. */
  ExchangeHandler withoutRoute() {
    return withoutRoute;
  }

  /** The innermost group that both are in, or are. */
  static Scope common(Scope a, Scope b) {
    Scope one = a;
    Scope other = b;
    while (one != other) {
      boolean up = one.depth >= other.depth;
      Scope outer = up ? one.around : other.around;
      if (outer == null) {
        throw new IllegalArgumentException("the groups are of two routers");
      }
      one = up ? outer : one;
      other = up ? other : outer;
    }
    return one;
  }
}
