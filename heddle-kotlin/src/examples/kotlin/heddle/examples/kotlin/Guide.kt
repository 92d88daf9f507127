package heddle.examples.kotlin

import heddle.client.HttpClient
import heddle.http.Method
import heddle.http.Request
import heddle.http.Response
import heddle.kotlin.VirtualThreads
import heddle.kotlin.asBody
import heddle.kotlin.await
import heddle.kotlin.awaitAs
import heddle.kotlin.awaitString
import heddle.kotlin.call
import heddle.kotlin.chunks
import heddle.kotlin.deadline
import heddle.kotlin.httpClient
import heddle.kotlin.interruptible
import heddle.kotlin.lines
import heddle.kotlin.newRequest
import heddle.kotlin.pool
import heddle.kotlin.request
import heddle.kotlin.serialization.KotlinxCodec
import heddle.kotlin.sse.events
import heddle.kotlin.sse.sendEvents
import heddle.kotlin.timeouts
import heddle.kotlin.url
import heddle.kotlin.web.bodyAs
import heddle.kotlin.web.httpServer
import heddle.kotlin.web.onError
import heddle.kotlin.web.route
import heddle.kotlin.web.router
import heddle.kotlin.web.suspending
import heddle.kotlin.websocket.awaitSend
import heddle.kotlin.websocket.texts
import heddle.kotlin.websocket.webSocket
import heddle.kotlin.websocket.webSocketHandler
import heddle.kotlin.withDeadline
import heddle.server.HttpServer
import heddle.sse.ServerSentEvent
import heddle.web.Problem
import java.nio.file.Path
import kotlin.io.path.outputStream
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.serialization.Serializable

/** A book of the shop that the guide's page for Kotlin talks about. */
@Serializable data class Book(val id: Int, val title: String)

/** What the guide's page for Kotlin shows of a client. */
class Shop(private val client: HttpClient) {
  suspend fun page(id: Int): String {
    // doc: get
    val page = client.await("/books/{id}", id) { header("Accept", "text/plain") }
    val text = page.use { it.awaitString() }
    // doc: end
    return text
  }

  suspend fun titles(): List<String> {
    // doc: parallel
    val titles = coroutineScope {
      (1..3).map { id -> async { client.awaitAs<Book>("/books/{id}", id).title } }
    }
    // doc: end
    return titles.map { it.await() }
  }

  suspend fun read(): Int {
    val request = client.newRequest("/books/{id}", 1)
    // doc: read
    val size = client.await(request) { response -> response.bytes().size }
    // doc: end
    return size
  }

  suspend fun limited(): Book {
    // doc: deadline
    val book =
      withDeadline(2.seconds) {
        val first: Book = client.awaitAs("/books/{id}", 1)
        client.awaitAs<Book>("/books/{id}", first.id + 1)
      }
    // doc: end
    return book
  }

  suspend fun blocking(): Pair<String, Int> {
    // doc: blocking
    val text = interruptible { client.get("/books/{id}", 1).string() }
    val size = withContext(Dispatchers.VirtualThreads) { client.get("/list").bytes().size }
    // doc: end
    return text to size
  }

  suspend fun add(title: String): Book {
    // doc: post
    val added =
      client
        .await("/books") {
          method(Method.POST)
          body(Book(0, title))
          deadline(5.seconds)
        }
        .use { it.awaitString() }
    // doc: end
    return KotlinxCodec().decode(added.byteInputStream(), Book::class.java) as Book
  }

  suspend fun download(file: Path) {
    // doc: chunks
    file.outputStream().use { out ->
      client.chunks(client.newRequest("/list")).collect { bytes -> out.write(bytes) }
    }
    // doc: end
  }

  suspend fun firstLines(): List<String> {
    // doc: lines
    val first = client.lines(client.newRequest("/list")).take(2).toList()
    // doc: end
    return first
  }

  suspend fun upload(rows: Flow<String>): String {
    // doc: upload
    val answer =
      client.await("/import") {
        method(Method.POST)
        body(rows.map { "$it\n".encodeToByteArray() }.asBody())
      }
    // doc: end
    return answer.use { it.awaitString() }
  }

  suspend fun prices(): List<String> {
    // doc: events
    val prices = client.events("/prices").take(3).map { it.data() }.toList()
    // doc: end
    return prices
  }

  suspend fun answer(question: Request): String {
    val text = StringBuilder()
    // doc: model
    client.await(question).events(until = "[DONE]").collect { text.append(it.data()) }
    // doc: end
    return text.toString()
  }

  suspend fun chat(): List<String> {
    // doc: socket
    val echoes =
      client.webSocket("/chat") { socket ->
        socket.awaitSend("Hello")
        socket.awaitSend("Bye")
        socket.texts().take(2).toList()
      }
    // doc: end
    return echoes
  }
}

/** The client of the shop. */
fun shopClient(port: Int): HttpClient {
  // doc: client
  val client = httpClient {
    baseUrl("http://localhost:$port")
    codec(KotlinxCodec())
    timeouts { call(10.seconds) }
    pool { maxPerRoute(20) }
  }
  // doc: end
  return client
}

/** Requests and URLs that are not sent. */
fun built(): Pair<Request, String> {
  // doc: url
  val url =
    url("https://example.com/v1") {
      segments("authors", "Mayröcker/Jandl")
      query("page", 2)
    } // https://example.com/v1/authors/Mayr%C3%B6cker%2FJandl?page=2
  val request = request(url) { header("Accept", "application/json") }
  // doc: end
  return request to url.toString()
}

/** The server of the shop. */
fun shopServer(port: Int = 0): HttpServer {
  val books = listOf(Book(1, "Ulysses"), Book(2, "Orlando"), Book(3, "Emma"))
  val ticks = flow {
    for (i in 1..10) {
      emit(ServerSentEvent("message", "$i", ""))
    }
  }
  // doc: server
  val routes = router {
    codec(KotlinxCodec())
    route("/books") {
      get("/{id}") { exchange ->
        val id = exchange.path("id").asInt()
        exchange.respond(books.first { it.id == id })
      }
      post("") { exchange -> exchange.respond(201, exchange.bodyAs<Book>().copy(id = 4)) }
    }
    onError<NoSuchElementException> { _, _ -> Problem.of(404).toResponse() }
    get(
      "/prices",
      suspending { exchange ->
        exchange.sendEvents(ticks, heartbeat = 15.seconds)
        null
      },
    )
    get(
      "/chat",
      webSocketHandler { socket, _ -> socket.texts().collect { socket.awaitSend(it) } }::handle,
    )
    get("/list") { Response.ok(books.joinToString("\n") { it.title }) }
    post("/import") { exchange -> Response.ok("${exchange.bodyText().lines().size - 1} rows") }
  }
  val server = httpServer {
    port(port)
    exchangeHandler(routes)
  }
  // doc: end
  return server
}

// doc: whole
fun main() = runBlocking {
  val server = httpServer { handler { Response.ok("Hello, ${it.path().drop(1)}!") } }
  val client = httpClient { baseUrl("http://localhost:${server.port()}") }
  server.use {
    client.use {
      val names = listOf("Ann", "Bob")
      val greetings = names.map { name -> async { client.await("/{name}", name).awaitString() } }
      greetings.forEach { println(it.await()) } // Hello, Ann! Hello, Bob!
    }
  }
}

// doc: end
