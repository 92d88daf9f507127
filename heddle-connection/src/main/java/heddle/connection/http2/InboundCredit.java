package heddle.connection.http2;

/**
 * When the content that a connection received is given back to its window: on arrival, as long as
 * its readers together are not too far behind, so that a slow one does not stop the others; beyond
 * that when it is read. Guarded by the connection's lock.
 */
final class InboundCredit {
  /** Above so many bytes that wait for readers, those that come are credited when they are read. */
  private static final long MAX_UNREAD_BYTES = 8 * 1024 * 1024;

  private long unread;
  private long withheld;

  /**
   * Bytes have come.
   *
   * @param forReaders how many of them wait to be read
   * @return how many to give back now
   */
  long arrived(long bytes, long forReaders) {
    unread += forReaders;
    if (unread <= MAX_UNREAD_BYTES) {
      return bytes;
    }
    withheld += forReaders;
    return bytes - forReaders;
  }

  /**
   * Bytes wait no longer: they were read, or thrown away.
   *
   * @return how many to give back now
   */
  long taken(long bytes) {
    unread -= bytes;
    long due = Math.min(withheld, bytes);
    withheld -= due;
    return due;
  }
}
