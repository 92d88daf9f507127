package heddle.client.coding;

import heddle.client.coding.Coding.Inflaters;
import heddle.http.ContentCoding;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Decodes gzip: one or more members (RFC 1952 section 2.2). */
final class GzipDecoder implements ContentCoding.Decoder {
  private static final int ID1 = 0x1F;
  private static final int ID2 = 0x8B;
  private static final int DEFLATED = 8;

  private static final int HAS_HEADER_CRC = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xE0;

  /** Room for the largest extra field and a long name; a peer may send a name without end. */
  private static final int MAX_HEADER = 128 << 10;

  /** What the next octet belongs to (RFC 1952 section 2.3). */
  private enum Part {
    /** Identification, method, flags, time, extra flags and operating system: ten octets. */
    START,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CHECKSUM,
    CONTENT,
    CHECKSUM,
    LENGTH
  }

  private final Inflaters inflaters;
  private @Nullable Inflater inflater;

  private Part part = Part.START;
  private boolean first = true;

  /** The number of octets of this part that were read, and their value in little-endian order. */
  private int taken;

  private long value;

  private int headerLength;
  private final CRC32 headerCrc = new CRC32();

  /** The flags whose parts of the header are still to come. */
  private int flags;

  private int extraLength;

  private final CRC32 crc = new CRC32();
  private long size;

  GzipDecoder(Inflaters inflaters) {
    this.inflaters = inflaters;
  }

  @Override
  public boolean decode(ByteBuffer source, ByteBuffer target) throws DataFormatException {
    boolean goesOn = true;
    while (goesOn) {
      if (part == Part.CONTENT) {
        goesOn = inflate(source, target);
      } else if (source.hasRemaining()) {
        take(source.get() & 0xFF);
      } else {
        goesOn = false;
      }
    }
    return part == Part.START && taken == 0 && !first;
  }

  /** Whether the deflated data is at its end, so that more of the source may be taken. */
  private boolean inflate(ByteBuffer source, ByteBuffer target) throws DataFormatException {
    Inflater open = inflater;
    if (open == null) {
      open = inflaters.make(true);
      inflater = open;
    }
    int from = target.position();
    boolean ended = Coding.inflate(open, source, target);
    int count = target.position() - from;
    crc.update(target.array(), target.arrayOffset() + from, count);
    size += count;
    if (ended) {
      begin(Part.CHECKSUM);
    }
    return ended;
  }

  private void take(int octet) throws DataFormatException {
    if (part.compareTo(Part.CONTENT) < 0 && ++headerLength > MAX_HEADER) {
      throw new DataFormatException("its header is longer than " + MAX_HEADER + " bytes");
    }
    if (part.compareTo(Part.HEADER_CHECKSUM) < 0) {
      headerCrc.update(octet);
    }
    if (taken < 4) {
      value |= (long) octet << 8 * taken;
    }
    taken++;
    switch (part) {
      case START -> takeStart(octet);
      case EXTRA_LENGTH -> {
        if (taken == 2) {
          extraLength = (int) value;
          beginExtra();
        }
      }
      case EXTRA -> {
        if (taken == extraLength) {
          beginNextOfHeader();
        }
      }
      case NAME, COMMENT -> {
        if (octet == 0) {
          beginNextOfHeader();
        }
      }
      case HEADER_CHECKSUM -> {
        if (taken == 2) {
          require(value == (headerCrc.getValue() & 0xFFFF), "the checksum of its header is wrong");
          beginContent();
        }
      }
      case CHECKSUM -> {
        if (taken == 4) {
          require(value == crc.getValue(), "the checksum of its content is wrong");
          begin(Part.LENGTH);
        }
      }
      case LENGTH -> {
        if (taken == 4) {
          // RFC 1952 section 2.3.1: the length modulo 2^32.
          require(
              value == (size & 0xFFFF_FFFFL), "its length differs from the length in its trailer");
          first = false;
          headerLength = 0;
          headerCrc.reset();
          begin(Part.START);
        }
      }
      case CONTENT -> throw new AssertionError("content is inflated");
    }
  }

  /** Data that is not a member is an error: it may be a damaged member. */
  private void takeStart(int octet) throws DataFormatException {
    switch (taken) {
      case 1, 2 ->
        require(
            octet == (taken == 1 ? ID1 : ID2),
            first ? "it does not begin with the gzip header" : "other data follows its end");
      case 3 -> require(octet == DEFLATED, "its compression method is not deflate");
      case 4 -> {
        require((octet & RESERVED) == 0, "its header has undefined flags");
        flags = octet;
      }
      case 10 -> beginNextOfHeader();
      default -> {
        // Time, extra flags and operating system are ignored.
      }
    }
  }

  private void beginExtra() {
    if (extraLength > 0) {
      begin(Part.EXTRA);
    } else {
      beginNextOfHeader();
    }
  }

  private void beginNextOfHeader() {
    if (isAnnounced(HAS_EXTRA)) {
      begin(Part.EXTRA_LENGTH);
    } else if (isAnnounced(HAS_NAME)) {
      begin(Part.NAME);
    } else if (isAnnounced(HAS_COMMENT)) {
      begin(Part.COMMENT);
    } else if (isAnnounced(HAS_HEADER_CRC)) {
      begin(Part.HEADER_CHECKSUM);
    } else {
      beginContent();
    }
  }

  private boolean isAnnounced(int flag) {
    boolean announced = (flags & flag) != 0;
    flags &= ~flag;
    return announced;
  }

  private void beginContent() {
    crc.reset();
    size = 0;
    if (inflater != null) {
      inflater.reset();
    }
    begin(Part.CONTENT);
  }

  private void begin(Part next) {
    part = next;
    taken = 0;
    value = 0;
  }

  private static void require(boolean is, String otherwise) throws DataFormatException {
    if (!is) {
      throw new DataFormatException(otherwise);
    }
  }

  @Override
  public void close() {
    if (inflater != null) {
      inflater.end();
    }
  }
}
