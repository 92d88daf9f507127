package heddle.kotlin.web

import heddle.http.Response
import heddle.kotlin.HeddleDsl
import heddle.server.HttpServer
import heddle.web.RouteGroup
import heddle.web.Router
import heddle.web.Routes
import heddle.web.WebExchange
import heddle.web.WebHandler
import java.io.IOException
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.runBlocking

/**
 * Starts a server with the settings that [build] makes, which include a handler.
 *
 * ```
 * val server = httpServer {
 *   port(8080)
 *   exchangeHandler(router { get("/hello/{name}") { Response.ok("Hello ${it.path("name")}") } })
 * }
 * ```
 *
 * @throws IOException if the address cannot be bound
 * @throws IllegalArgumentException if a setting is out of its range, with the range
 * @throws IllegalStateException if there is no handler
 */
public fun httpServer(build: @HeddleDsl HttpServer.Builder.() -> Unit): HttpServer =
  HttpServer.builder().apply(build).start()

/**
 * A router with the routes that [build] adds: see [Routes].
 *
 * ```
 * router {
 *   get("/users/{id}") { exchange -> Response.ok("user ${exchange.path("id").asInt()}") }
 *   route("/api") {
 *     filter(authentication)
 *     get("/report", suspending { exchange -> exchange.respond(report()) })
 *   }
 *   onError<NoSuchElementException> { _, e -> Problem.of(404).detail(e.message).toResponse() }
 * }
 * ```
 *
 * @throws IllegalArgumentException if a path is malformed, or two routes answer the same requests
 */
public fun router(build: @HeddleDsl Router.Builder.() -> Unit): Router =
  Router.builder().apply(build).build()

/**
 * Adds routes with a common prefix, and filters and error handlers for them alone: see
 * [Routes.group].
 *
 * @param prefix begins with a slash and does not end with one; may have parameters
 * @throws IllegalArgumentException if the prefix is malformed
 */
public fun Routes<*>.route(prefix: String, build: @HeddleDsl RouteGroup.() -> Unit) {
  group(prefix) { it.build() }
}

/**
 * Adds routes for a host, on any port: see [Router.Builder.host].
 *
 * @throws IllegalArgumentException if this is no host, or there are routes for it already
 */
public fun Router.Builder.hostRoutes(name: String, build: @HeddleDsl RouteGroup.() -> Unit) {
  host(name) { it.build() }
}

/**
 * Adds a handler for the exceptions of type [E] and its subtypes: see [Routes.onError].
 *
 * @throws IllegalArgumentException if there is a handler for this type already
 */
public inline fun <reified E : Exception> Routes<*>.onError(
  noinline handler: (WebExchange, E) -> Response?
) {
  onError(E::class.java, handler)
}

/**
 * A handler of a route that calls suspend functions. It runs on the virtual thread of its request,
 * which waits while it is suspended, so that it may block too. It is cancelled when the server
 * interrupts that thread: when the client has gone, the time for the handler is over, or the server
 * aborts it as it closes. Over HTTP/1.1 the server learns that the client has gone only when the
 * connection is reset: a client that has ended its output may still read the response.
 *
 * @param context is added to that of the coroutine, such as its name
 */
public fun suspending(
  context: CoroutineContext = EmptyCoroutineContext,
  handler: suspend CoroutineScope.(WebExchange) -> Response?,
): WebHandler = WebHandler { exchange -> runBlocking(context) { handler(exchange) } }

/**
 * Reads the content of a request as a value, by the codec of the router or the installed one; [T]
 * may have type arguments. Blocks the thread. Throws as [WebExchange.bodyAs] with a type does.
 */
public inline fun <reified T : Any> WebExchange.bodyAs(): T =
  bodyAs(object : heddle.http.GenericType<T>() {})
