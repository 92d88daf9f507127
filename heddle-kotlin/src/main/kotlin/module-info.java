/** Builders, suspend functions, flows and kotlinx.serialization for Kotlin. */
module heddle.kotlin {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires transitive kotlin.stdlib;
  requires transitive kotlinx.coroutines.core;
  requires static heddle.server;
  requires static heddle.sse;
  requires static heddle.web;
  requires static heddle.websocket;
  requires static kotlinx.serialization.core;
  requires static kotlinx.serialization.json;

  exports heddle.kotlin;
  exports heddle.kotlin.serialization;
  exports heddle.kotlin.sse;
  exports heddle.kotlin.web;
  exports heddle.kotlin.websocket;
}
