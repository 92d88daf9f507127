package heddle.http.syntax;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * The IPv4 or IPv6 addresses that begin with the same bits (CIDR, RFC 4632 section 3.1 and RFC 4291
 * section 2.3). Immutable.
 */
public final class AddressBlock {
  private final byte[] first;
  private final int bits;

  /**
   * The block that an address is in.
   *
   * @param bits how many of the address all of the block have, from 0 to 32 or 128
   */
  public AddressBlock(InetAddress address, int bits) {
    this.first = address.getAddress();
    this.bits = bits;
  }

  /**
   * Parses a block such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}, or a single address.
   *
   * @throws IllegalArgumentException if it is malformed, or the address has bits behind the prefix;
   *     the message names it
   */
  public static AddressBlock parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = Host.address(slash < 0 ? text : text.substring(0, slash));
    if (address == null || text.indexOf('%') >= 0) {
      throw new IllegalArgumentException(
          text + " is neither an address nor a range such as 10.0.0.0/8 or 2001:db8::/32");
    }
    int length = 8 * address.getAddress().length;
    int bits = slash < 0 ? length : bits(text, slash + 1, length);
    AddressBlock block = new AddressBlock(address, bits);
    if (!block.isAligned()) {
      throw new IllegalArgumentException(
          text + " has an address with bits behind its prefix of " + bits + " bits");
    }
    return block;
  }

  private static int bits(String text, int from, int most) {
    String digits = text.substring(from);
    int bits = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : -1;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException(
          text + " needs a prefix of 0 to " + most + " bits behind the slash");
    }
    return bits;
  }

  private boolean isAligned() {
    for (int bit = bits; bit < 8 * first.length; bit++) {
      if ((first[bit / 8] & 0x80 >> bit % 8) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether this address is in the block; false for one of the other kind. */
  public boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  /** Whether the address of these 4 or 16 octets is in the block. */
  public boolean contains(byte[] address) {
    int whole = bits / 8;
    int more = bits % 8;
    return address.length == first.length
        && Arrays.equals(first, 0, whole, address, 0, whole)
        && (more == 0 || ((first[whole] ^ address[whole]) & 0xff) >> 8 - more == 0);
  }
}
