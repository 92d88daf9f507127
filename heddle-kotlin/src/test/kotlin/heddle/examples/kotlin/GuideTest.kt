package heddle.examples.kotlin

import heddle.http.Method
import heddle.kotlin.newRequest
import heddle.testkit.mock.MockResponse
import heddle.testkit.mock.MockServer
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Path
import kotlin.io.path.readText
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

/** What the guide shows works. */
@Timeout(60)
internal class GuideTest {
  @Test
  fun programsOfTheGuideWork(@TempDir folder: Path) = runBlocking {
    shopServer().use { server ->
      shopClient(server.port()).use { client ->
        val shop = Shop(client)
        assertEquals("""{"id":1,"title":"Ulysses"}""", shop.page(1))
        assertEquals(listOf("Ulysses", "Orlando", "Emma"), shop.titles())
        assertEquals(shop.page(1).length, shop.read())
        assertEquals(Book(2, "Orlando"), shop.limited())
        assertEquals(shop.page(1) to 20, shop.blocking())
        assertEquals(Book(4, "Persuasion"), shop.add("Persuasion"))
        val file = folder.resolve("list")
        shop.download(file)
        assertEquals("Ulysses\nOrlando\nEmma", file.readText())
        assertEquals(listOf("Ulysses", "Orlando"), shop.firstLines())
        assertEquals("2 rows", shop.upload(flowOf("a", "b")))
        assertEquals(listOf("1", "2", "3"), shop.prices())
        assertEquals(listOf("Hello", "Bye"), shop.chat())
        assertEquals(404, client.get("/books/9").use { it.status().code() })
      }
    }
  }

  @Test
  fun answerOfAModelEndsWithItsMark() = runBlocking {
    MockServer.start().use { server ->
      server.enqueue(
        MockResponse.ok("data: Hel\n\ndata: lo\n\ndata: [DONE]\n\n")
          .header("Content-Type", "text/event-stream")
      )
      shopClient(server.port()).use { client ->
        val question = client.newRequest("/completions") { method(Method.POST) }
        assertEquals("Hello", Shop(client).answer(question))
      }
    }
  }

  @Test
  fun urlsAreAsTheGuideSays() {
    val (request, url) = built()
    assertEquals("https://example.com/v1/authors/Mayr%C3%B6cker%2FJandl?page=2", url)
    assertEquals("application/json", request.headers().first("Accept"))
  }

  @Test
  fun wholeProgramGreets() {
    val out = System.out
    val printed = ByteArrayOutputStream()
    System.setOut(PrintStream(printed))
    try {
      main()
    } finally {
      System.setOut(out)
    }
    assertEquals(listOf("Hello, Ann!", "Hello, Bob!"), printed.toString().trim().lines())
  }
}
