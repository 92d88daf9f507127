package heddle.cache;

/** Content that a {@link CacheStore} holds. Equal only to itself and its description on disk. */
sealed interface Content {
  /** No content, and that of a response whose content is still to come. */
  Content NONE = new Bytes(new byte[0]);

  /** In bytes. */
  long length();

  /** Content in memory, not to be changed. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity, as below
  record Bytes(byte[] bytes) implements Content {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Bytes other && bytes == other.bytes;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(bytes);
    }
  }

  /**
   * Content in a file.
   *
   * @param id the part of the file's name that tells it from others of the same resource
   * @param checksum CRC-32C
   */
  record InFile(long id, long length, int checksum) implements Content {}
}
