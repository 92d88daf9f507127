package heddle.bench.drivers.ktor

import heddle.bench.driver.Answer
import heddle.bench.driver.AsyncClientDriver
import heddle.bench.driver.AsyncClientDriver.AsyncExchange
import heddle.bench.driver.AsyncClientDriver.Completion
import heddle.bench.driver.DriverConfig
import heddle.bench.driver.DriverRequest
import heddle.bench.driver.Release
import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.cio.CIOEngineConfig
import io.ktor.client.request.HttpRequestBuilder
import io.ktor.client.request.prepareRequest
import io.ktor.client.request.setBody
import io.ktor.client.request.url
import io.ktor.client.statement.HttpResponse
import io.ktor.client.statement.bodyAsBytes
import io.ktor.client.statement.bodyAsChannel
import io.ktor.http.ContentType
import io.ktor.http.HttpMethod
import io.ktor.http.content.ByteArrayContent
import io.ktor.utils.io.discard
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch

/**
 * Ktor's client on its own engine, CIO, which speaks HTTP/1.1 only and opens a connection for each
 * request. With its setting for pipelining it would keep them, but then its second request fails
 * here with an unexpected end of input (3.6.1). Each exchange is a coroutine on the default
 * dispatcher; large content is discarded as it arrives. Tuned, it may have as many connections as
 * the load at a time (100 to a server by default), and a request may take any time (15 s by
 * default).
 */
class KtorDriver : AsyncClientDriver {
  private val scope = CoroutineScope(Dispatchers.Default)
  private var client: HttpClient? = null

  override fun name() = "ktor"

  override fun version(): String = Release.of(HttpClient::class.java)

  override fun refusal(config: DriverConfig) = if (config.isHttp2) "no HTTP/2" else null

  override fun start(config: DriverConfig) {
    client =
      HttpClient(CIO) {
        expectSuccess = false
        engine {
          if (config.isTls) {
            https { trustManager = config.wire().trust().manager() }
          }
          if (config.isTuned) {
            tune(config.wire().connections())
          }
        }
      }
  }

  private fun CIOEngineConfig.tune(connections: Int) {
    maxConnectionsCount = maxOf(connections, maxConnectionsCount)
    endpoint.maxConnectionsPerRoute = connections
    requestTimeout = 0
  }

  override fun prepare(request: DriverRequest): AsyncExchange {
    val started = checkNotNull(client) { "the driver was not started" }
    val type = request.contentType()?.let(ContentType::parse)
    val content = if (request.isPost) ByteArrayContent(request.content(), type) else null
    val address = request.uri().toString()
    return AsyncExchange { completion ->
      tell(completion) {
        val built = HttpRequestBuilder()
        built.url(address)
        if (content != null) {
          built.method = HttpMethod.Post
          built.setBody(content)
        }
        started.prepareRequest(built).execute { read(it, request.isAnswerLarge) }
      }
    }
  }

  private fun tell(completion: Completion, exchange: suspend () -> Answer) {
    scope.launch { runCatching { exchange() }.fold(completion::answered, completion::failed) }
  }

  private suspend fun read(response: HttpResponse, large: Boolean): Answer {
    val length =
      if (large) response.bodyAsChannel().discard() else response.bodyAsBytes().size.toLong()
    return Answer(response.status.value, length)
  }

  override fun close() {
    client?.close()
  }
}
