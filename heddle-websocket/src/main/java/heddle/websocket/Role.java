package heddle.websocket;

/** Which side this is: clients mask what they send, servers do not (RFC 6455 section 5.1). */
enum Role {
  CLIENT,
  SERVER;

  boolean masks() {
    return this == CLIENT;
  }
}
