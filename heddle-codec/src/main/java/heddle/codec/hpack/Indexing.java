package heddle.codec.hpack;

/** How an encoder represents a field that no table holds yet, RFC 7541 §6.2. */
enum Indexing {
  /** It is added to the dynamic table. */
  INCREMENTAL(0x40, 6),
  /** It is not, because it is not likely to come again. */
  WITHOUT(0x00, 4),
  /** It is not, and no intermediary may do so either, because it is a secret, §7.1.3. */
  NEVER(0x10, 4);

  private final int flags;
  private final int prefixBits;

  Indexing(int flags, int prefixBits) {
    this.flags = flags;
    this.prefixBits = prefixBits;
  }

  /** The bits that the representation begins with. */
  int flags() {
    return flags;
  }

  /** The bits of its first byte that are left for the index of the name. */
  int prefixBits() {
    return prefixBits;
  }
}
