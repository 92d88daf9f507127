package heddle.http;

/** The phases of a call, in the order of one attempt. */
public enum Phase {
  /** Waiting for a connection of the pool. */
  QUEUE,
  /** Resolving the host's name. */
  RESOLVE,
  /** Opening a connection. */
  CONNECT,
  /** The TLS handshake. */
  TLS,
  /** Writing the request's head and body. */
  SEND,
  /** Waiting for the response's head. */
  AWAIT_HEAD,
  /** Reading the response's body. */
  READ_BODY,
  /** Waiting before the request is sent, or sent again. */
  BACKOFF
}
