package heddle.bench.drivers.heddlekotlin

import heddle.bench.driver.Answer
import heddle.bench.driver.AsyncClientDriver
import heddle.bench.driver.AsyncClientDriver.AsyncExchange
import heddle.bench.driver.AsyncClientDriver.Completion
import heddle.bench.driver.DriverConfig
import heddle.bench.driver.DriverRequest
import heddle.bench.driver.Release
import heddle.bench.drivers.heddle.HeddleDriver
import heddle.client.HttpClient
import heddle.http.Response
import heddle.kotlin.VirtualThreads
import heddle.kotlin.await
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch

/**
 * Heddle's client through the suspend functions of `heddle-kotlin`, configured as [HeddleDriver].
 * Each exchange is a coroutine: on the default dispatcher, or on the one that the system property
 * [DISPATCHER] names, `default` or `virtual`.
 */
class KotlinHeddleDriver : AsyncClientDriver {
  private var scope = CoroutineScope(Dispatchers.Default)
  private var client: HttpClient? = null

  override fun name() = "heddle-kotlin"

  override fun version(): String = Release.of(HttpClient::class.java)

  override fun start(config: DriverConfig) {
    scope = CoroutineScope(dispatcher(System.getProperty(DISPATCHER, "default")))
    client = HeddleDriver.open(config)
  }

  private fun dispatcher(name: String): CoroutineDispatcher =
    when (name) {
      "default" -> Dispatchers.Default
      "virtual" -> Dispatchers.VirtualThreads
      else ->
        throw IllegalArgumentException("$DISPATCHER must be default or virtual, but was \"$name\"")
    }

  override fun prepare(request: DriverRequest): AsyncExchange {
    val started = checkNotNull(client) { "the driver was not started" }
    val made = HeddleDriver.request(request)
    val large = request.isAnswerLarge
    return AsyncExchange { completion ->
      tell(completion) { started.await(made) { read(it, large) } }
    }
  }

  private fun tell(completion: Completion, exchange: suspend () -> Answer) {
    scope.launch { runCatching { exchange() }.fold(completion::answered, completion::failed) }
  }

  private fun read(response: Response, large: Boolean): Answer {
    val length = if (large) response.body().discard() else response.bytes().size.toLong()
    return Answer(response.status().code(), length)
  }

  override fun close() {
    client?.close()
  }

  private companion object {
    /** The system property that chooses where coroutines run. */
    const val DISPATCHER = "heddle.bench.dispatcher"
  }
}
