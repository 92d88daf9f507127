package heddle.web;

import heddle.http.Headers;
import heddle.http.Response;
import heddle.server.spi.ExchangeHandler;
import heddle.web.form.FormException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The error handlers of a group and, behind them, those of the groups around it. Handlers are added
 * before it is used, which is then safe for use by many threads.
 */
final class ErrorHandlers {
  private final @Nullable ErrorHandlers around;
  private final Map<Class<?>, ErrorHandler<Exception>> byType;
  private final Map<Integer, ErrorHandler<ProblemException>> byStatus;

  /** Handlers of a group alone, to which others can be added. */
  ErrorHandlers() {
    this(null, new HashMap<>(), new HashMap<>());
  }

  private ErrorHandlers(
      @Nullable ErrorHandlers around,
      Map<Class<?>, ErrorHandler<Exception>> byType,
      Map<Integer, ErrorHandler<ProblemException>> byStatus) {
    this.around = around;
    this.byType = byType;
    this.byStatus = byStatus;
  }

  /** These handlers as they are now, before those of the groups around. */
  ErrorHandlers within(@Nullable ErrorHandlers others) {
    return new ErrorHandlers(others, Map.copyOf(byType), Map.copyOf(byStatus));
  }

  <E extends Exception> void add(Class<E> type, ErrorHandler<? super E> handler) {
    ErrorHandler<Exception> any = (exchange, e) -> handler.handle(exchange, type.cast(e));
    if (byType.putIfAbsent(type, any) != null) {
      throw new IllegalArgumentException("there is a handler for " + type.getName() + " already");
    }
  }

  void add(int status, ErrorHandler<ProblemException> handler) {
    if (byStatus.putIfAbsent(status, handler) != null) {
      throw new IllegalArgumentException("there is a handler for " + status + " already");
    }
  }

  /** A handler that answers with these when {@code handler} throws. */
  ExchangeHandler guard(ExchangeHandler handler) {
    return exchange -> {
      try {
        return handler.handle(exchange);
      } catch (Exception e) {
        return answer(WebExchange.of(exchange), e);
      }
    };
  }

  /** Throws the failure, or another one, if it is to go on to the next filter or the server. */
  private @Nullable Response answer(WebExchange exchange, Exception failure) throws Exception {
    // A response that has begun is cut; for a fault of the peer the server has the right status.
    if (exchange.hasBegun()
        || exchange.statusOfFault(failure) != null
        || exchange.passes(failure)) {
      throw failure;
    }
    try {
      if (failure instanceof ProblemException problem) {
        return answer(exchange, problem);
      }
      if (failure instanceof FormException form) {
        return answer(exchange, new ProblemException(form.status().code(), form.problem()));
      }
      ErrorHandler<Exception> handler = handlerOf(failure);
      if (handler != null) {
        return handler.handle(exchange, failure);
      }
    } catch (Exception e) {
      exchange.passOn(e);
      throw e;
    }
    exchange.passOn(failure);
    throw failure;
  }

  private @Nullable Response answer(WebExchange exchange, ProblemException failure)
      throws Exception {
    int status = failure.problem().status().code();
    for (ErrorHandlers each = this; each != null; each = each.around) {
      ErrorHandler<ProblemException> handler = each.byStatus.get(status);
      if (handler != null) {
        return withFields(handler.handle(exchange, failure), failure);
      }
    }
    ErrorHandler<Exception> handler = handlerOf(failure);
    return handler != null
        ? handler.handle(exchange, failure)
        : withFields(exchange.respond(failure.problem()), failure);
  }

  /** The handler for the nearest class, of the innermost group that has one for any. */
  private @Nullable ErrorHandler<Exception> handlerOf(Exception failure) {
    for (ErrorHandlers each = this; each != null; each = each.around) {
      for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
        ErrorHandler<Exception> handler = each.byType.get(type);
        if (handler != null) {
          return handler;
        }
        // A problem is an answer already. The server knows why it interrupted a thread.
        if (type == ProblemException.class || type == InterruptedException.class) {
          break;
        }
      }
    }
    return null;
  }

  /** Adds the fields that the status needs, such as Allow, unless the handler has set them. */
  private static @Nullable Response withFields(
      @Nullable Response response, ProblemException failure) {
    if (response == null
        || failure.headers().isEmpty()
        || !response.status().equals(failure.problem().status())) {
      return response;
    }
    Response.Builder changed = response.toBuilder();
    for (Headers.Field field : failure.headers()) {
      if (!response.headers().contains(field.name())) {
        changed.header(field.name(), field.value());
      }
    }
    return changed.build();
  }
}
