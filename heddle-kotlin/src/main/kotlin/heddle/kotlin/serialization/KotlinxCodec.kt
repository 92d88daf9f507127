package heddle.kotlin.serialization

import heddle.http.Body
import heddle.http.BodyCodec
import heddle.http.BodyCodecException
import heddle.http.MediaType
import java.io.InputStream
import java.lang.reflect.Type
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.SetSerializer
import kotlinx.serialization.builtins.nullable
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.decodeFromStream
import kotlinx.serialization.serializer

/**
 * JSON by kotlinx.serialization, for types with `@Serializable` and those that it knows. By default
 * fields that a type does not have are ignored. Thread-safe. Never installed by being on the class
 * path: give it to the client, a request or a router.
 *
 * ```
 * val client = httpClient { codec(KotlinxCodec()) }
 * val user: User = client.awaitAs("https://example.com/users/{id}", 7)
 * ```
 *
 * Two things are lost where a value comes without its type, as in `Request.Builder.body(Any)` and
 * `WebExchange.respond`: the type arguments of a generic class, and that a value is of a sealed
 * type, which adds a discriminator. There [body] with a type argument helps.
 *
 * @param json the settings
 */
public class KotlinxCodec(@PublishedApi internal val json: Json = DEFAULTS) : BodyCodec {
  /**
   * The content for a value: as its class says, or for lists, sets and maps of one class as that of
   * their elements.
   *
   * @throws BodyCodecException if there is none for it
   */
  override fun encode(value: Any): Body =
    converting("a ${value.javaClass.name} cannot be written: ") {
      @Suppress("UNCHECKED_CAST") // It is the serializer of this value's class.
      body(serializerOf(value) as KSerializer<Any>, value)
    }

  /**
   * The value that content stands for.
   *
   * @throws BodyCodecException if the content is no such value, or there is no serializer for it
   * @throws java.io.IOException if reading fails
   */
  @OptIn(ExperimentalSerializationApi::class) // decodeFromStream
  override fun decode(content: InputStream, type: Type): Any =
    converting("") {
      json.decodeFromStream(json.serializersModule.serializer(type).nullable, content)
    } ?: throw BodyCodecException("it is null", null)

  /**
   * The content for a value of the type [T], which may be generic or sealed.
   *
   * @throws BodyCodecException if there is none for it
   */
  public inline fun <reified T> body(value: T): Body {
    val serializer =
      try {
        json.serializersModule.serializer<T>()
      } catch (e: SerializationException) {
        throw BodyCodecException(e.message ?: e.toString(), e)
      }
    return body(serializer, value)
  }

  /**
   * The content for a value by a serializer.
   *
   * @throws BodyCodecException if there is none for it
   */
  public fun <T> body(serializer: SerializationStrategy<T>, value: T): Body =
    converting("a ${serializer.descriptor.serialName} cannot be written: ") {
      Body.of(json.encodeToString(serializer, value).encodeToByteArray(), JSON)
    }

  private fun serializerOf(value: Any): KSerializer<*> =
    when (value) {
      is JsonElement -> JsonElement.serializer()
      is List<*> -> ListSerializer(elementSerializer(value))
      is Set<*> -> SetSerializer(elementSerializer(value))
      is Map<*, *> -> MapSerializer(elementSerializer(value.keys), elementSerializer(value.values))
      else -> json.serializersModule.serializer(value.javaClass)
    }

  /** Of all elements, which are of one class, or null. */
  private fun elementSerializer(elements: Collection<*>): KSerializer<Any?> {
    val serializers = elements.filterNotNull().distinctBy { it.javaClass }.map { serializerOf(it) }
    val kinds = serializers.distinctBy { it.descriptor.serialName }
    if (kinds.size > 1) {
      throw SerializationException(
        "its elements are of several classes (" +
          kinds.joinToString { it.descriptor.serialName } +
          "): use KotlinxCodec.body with the type"
      )
    }
    val one = kinds.firstOrNull() ?: String.serializer()
    @Suppress("UNCHECKED_CAST") // It is the serializer of these elements' class.
    return (if (elements.any { it == null }) (one as KSerializer<Any>).nullable else one)
      as KSerializer<Any?>
  }

  private inline fun <T> converting(prefix: String, convert: () -> T): T =
    try {
      convert()
    } catch (e: SerializationException) {
      throw BodyCodecException(prefix + (e.message ?: e.toString()), e)
    } catch (e: IllegalArgumentException) {
      // What a class requires of its values in its constructor.
      throw BodyCodecException(prefix + (e.message ?: e.toString()), e)
    }

  private companion object {
    val JSON: MediaType = MediaType.of("application", "json")
    val DEFAULTS = Json { ignoreUnknownKeys = true }
  }
}
