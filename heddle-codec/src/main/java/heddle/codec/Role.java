package heddle.codec;

/** Which side of a connection a session plays. */
public enum Role {
  CLIENT,
  SERVER
}
