package heddle.web;

/**
 * The routes of a {@linkplain Routes#group group} or a {@linkplain Router.Builder#host host}. Not
 * safe for use by several threads.
 */
public final class RouteGroup extends Routes<RouteGroup> {
  RouteGroup(String prefix) {
    super(prefix);
  }

  @Override
  RouteGroup self() {
    return this;
  }
}
