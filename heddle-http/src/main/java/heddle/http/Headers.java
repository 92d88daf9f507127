package heddle.http;

import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message (RFC 9110 section 5) in the order in which they are sent: names ignore
 * case, a name may occur more than once. Immutable and safe to share.
 *
 * <p>Values are kept as octets and become strings, one char for each octet (ISO 8859-1), only when
 * asked for. Names and values are checked when they are added: no field can split a message. A
 * method that takes a name as a string throws {@link IllegalArgumentException} if it is not a token
 * (RFC 9110 section 5.6.2).
 *
 * <pre>{@code
 * Headers headers = Headers.of("Accept", "application/json", "X-Trace", "7");
 * String trace = headers.first("x-trace");
 * }</pre>
 */
public final class Headers implements Iterable<Headers.Field> {
  private static final HeaderName[] NO_NAMES = {};
  private static final byte[] NO_BYTES = {};
  private static final int[] NO_ENDS = {};
  private static final Headers EMPTY = new Headers(NO_NAMES, NO_BYTES, NO_ENDS);

  private final HeaderName[] names;
  private final byte[] values; // of all fields, one after the other
  private final int[] ends; // of the value of the field with the same index

  private Headers(HeaderName[] names, byte[] values, int[] ends) {
    this.names = names;
    this.values = values;
    this.ends = ends;
  }

  /** One field line: a name and its value. */
  public record Field(HeaderName name, String value) {}

  /** No fields. */
  public static Headers empty() {
    return EMPTY;
  }

  /**
   * Fields from names and values in turn.
   *
   * @throws IllegalArgumentException if the number of strings is odd, or a name or value is not
   *     valid: see {@link Builder#add(String, String)}
   */
  public static Headers of(String... namesAndValues) {
    Builder builder = builder();
    forEachPair(namesAndValues, builder::add);
    return builder.build();
  }

  static void forEachPair(String[] namesAndValues, BiConsumer<String, String> action) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          namesAndValues.length + " strings are not pairs: give a value for each name");
    }
    for (int i = 0; i < namesAndValues.length; i += 2) {
      action.accept(namesAndValues[i], namesAndValues[i + 1]);
    }
  }

  /** A builder without fields. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that holds these fields already. */
  public Builder toBuilder() {
    return new Builder().addAll(this);
  }

  /** Number of fields. */
  public int size() {
    return names.length;
  }

  /** Whether there are no fields. */
  public boolean isEmpty() {
    return names.length == 0;
  }

  /** Name of the field at {@code i}, from 0. */
  public HeaderName name(int i) {
    return names[i];
  }

  /** Value of the field at {@code i} as a new string. */
  public String value(int i) {
    int start = start(i);
    return new String(values, start, ends[i] - start, StandardCharsets.ISO_8859_1);
  }

  /** Length in bytes of the value at {@code i}. */
  public int valueLength(int i) {
    return ends[i] - start(i);
  }

  /** Writes the value at {@code i} to {@code dst} and returns the index after it. */
  public int copyValue(int i, byte[] dst, int at) {
    int length = valueLength(i);
    System.arraycopy(values, start(i), dst, at, length);
    return at + length;
  }

  private int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /** Index of the first field at or after {@code from} with this name, or -1. */
  public int indexOf(HeaderName name, int from) {
    for (int i = from; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Value of the first field with this name, or null. */
  public @Nullable String first(HeaderName name) {
    int i = indexOf(name, 0);
    return i < 0 ? null : value(i);
  }

  /** Value of the first field with this name, or null. */
  public @Nullable String first(String name) {
    return first(HeaderName.of(name));
  }

  /** Values of all fields with this name, in order. */
  public List<String> all(HeaderName name) {
    List<String> found = new ArrayList<>();
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      found.add(value(i));
    }
    return List.copyOf(found);
  }

  /** Values of all fields with this name, in order. */
  public List<String> all(String name) {
    return all(HeaderName.of(name));
  }

  /** Whether there is a field of this name. */
  public boolean contains(HeaderName name) {
    return indexOf(name, 0) >= 0;
  }

  /** Whether there is a field with this name. */
  public boolean contains(String name) {
    return contains(HeaderName.of(name));
  }

  /**
   * Whether any element of the comma-separated lists (RFC 9110 section 5.6.1) in all fields with
   * this name is {@code token}, ignoring case. Makes no strings. An element with parameters is not
   * the bare token; commas within quotes do not separate.
   */
  public boolean containsToken(HeaderName name, String token) {
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      if (listContains(start(i), ends[i], token)) {
        return true;
      }
    }
    return false;
  }

  private boolean listContains(int from, int to, String token) {
    int element = from;
    boolean quoted = false;
    for (int i = from; i <= to; i++) {
      int c = i == to ? -1 : values[i];
      if (i == to || (c == ',' && !quoted)) {
        int start = Octets.skipBlanks(values, element, i);
        int end = Octets.skipBlanksBack(values, start, i);
        if (Octets.equalsIgnoreCase(values, start, end - start, token)) {
          return true;
        }
        element = i + 1;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i = Math.min(i + 1, to - 1);
      }
    }
    return false;
  }

  /** Whether the value at {@code i} is {@code text}; makes no string. */
  public boolean valueEquals(int i, String text) {
    return Octets.equals(values, start(i), valueLength(i), text);
  }

  /** Whether the value at {@code i} is these octets. */
  public boolean valueEquals(int i, byte[] octets) {
    return Arrays.equals(values, start(i), ends[i], octets, 0, octets.length);
  }

  /** Whether the value at {@code i} is {@code text} but for the case of ASCII letters. */
  public boolean valueEqualsIgnoreCase(int i, String text) {
    return Octets.equalsIgnoreCase(values, start(i), valueLength(i), text);
  }

  @Override
  public Iterator<Field> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < names.length;
      }

      @Override
      public Field next() {
        if (next == names.length) {
          throw new NoSuchElementException("there are only " + next + " fields");
        }
        Field field = new Field(names[next], value(next));
        next++;
        return field;
      }
    };
  }

  /** Equal if the same fields stand in the same order. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Headers other
        && Arrays.equals(names, other.names)
        && Arrays.equals(ends, other.ends)
        && Arrays.equals(values, other.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(names) * 31 + Arrays.hashCode(values);
  }

  /** The fields for a log, by {@link Redaction#DEFAULTS}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < names.length; i++) {
      text.append(i == 0 ? "" : ", ").append(names[i]).append(": ");
      text.append(Redaction.DEFAULTS.value(names[i], value(i)));
    }
    return text.append('}').toString();
  }

  /**
   * Collects fields. Not safe for use by several threads. A builder may be used again after {@link
   * #clear}, and keeps its arrays for that.
   */
  public static final class Builder {
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private HeaderName[] names = NO_NAMES;
    private byte[] values = NO_BYTES;
    private int[] ends = NO_ENDS;
    private int size;

    private Builder() {}

    /**
     * Adds a field after those with the same name.
     *
     * @throws IllegalArgumentException if the name is not a token, or the value holds a control
     *     character other than a tab, a char above 0xFF, or white space at an end (RFC 9110
     *     section 5.5)
     */
    public Builder add(String name, String value) {
      return add(HeaderName.of(name), value);
    }

    /** As {@link #add(String, String)}. */
    public Builder add(HeaderName name, String value) {
      int length = value.length();
      int at = reserve(length);
      for (int i = 0; i < length; i++) {
        int c = value.charAt(i);
        if (!Octets.isFieldValue(c)) {
          throw Octets.notInValue(name, c, i);
        }
        values[at + i] = (byte) c;
      }
      return commit(name, at, length);
    }

    /** As {@link #add(String, String)}, with the value that stands in {@code buf}, for parsers. */
    public Builder add(HeaderName name, byte[] buf, int off, int len) {
      int bad = Octets.indexOfNonFieldValue(buf, off, len);
      if (bad >= 0) {
        throw Octets.notInValue(name, buf[off + bad] & 0xFF, bad);
      }
      int at = reserve(len);
      System.arraycopy(buf, off, values, at, len);
      return commit(name, at, len);
    }

    /**
     * Continues the value of the field added last, after a space, with what stands in {@code buf};
     * for parsers, of a value that was folded over several lines (RFC 9112 section 5.2).
     *
     * @param len if 0, the value stays as it is
     * @throws IllegalArgumentException as {@link #add(String, String)} throws it
     * @throws IllegalStateException if there is no field
     */
    public Builder fold(byte[] buf, int off, int len) {
      if (size == 0) {
        throw new IllegalStateException("there is no field whose value could go on");
      }
      HeaderName name = names[size - 1];
      int bad = Octets.indexOfNonFieldValue(buf, off, len);
      if (bad >= 0) {
        throw Octets.notInValue(name, buf[off + bad] & 0xFF, bad);
      }
      if (len == 0) {
        return this;
      }
      if (Octets.isBlank(buf[off]) || Octets.isBlank(buf[off + len - 1])) {
        throw Octets.blankAtEnd(name);
      }
      int at = reserve(len + 1);
      if (at > (size == 1 ? 0 : ends[size - 2])) {
        values[at++] = ' ';
      }
      System.arraycopy(buf, off, values, at, len);
      ends[size - 1] = at + len;
      return this;
    }

    /** Makes room for a field of {@code length} bytes and returns where its value goes. */
    private int reserve(int length) {
      if (size == names.length) {
        int capacity = Math.max(8, size * 2);
        names = Arrays.copyOf(names, capacity);
        ends = Arrays.copyOf(ends, capacity);
      }
      int at = end();
      int needed = Math.addExact(at, length);
      if (needed > values.length) {
        // Doubling in long arithmetic: an int would overflow past 1 GiB.
        values = Arrays.copyOf(values, (int) Math.min(MAX_ARRAY, Math.max(128L, needed * 2L)));
      }
      return at;
    }

    private Builder commit(HeaderName name, int at, int length) {
      if (length > 0 && (Octets.isBlank(values[at]) || Octets.isBlank(values[at + length - 1]))) {
        throw Octets.blankAtEnd(name);
      }
      names[size] = name;
      ends[size++] = at + length;
      return this;
    }

    private int end() {
      return size == 0 ? 0 : ends[size - 1];
    }

    /** Adds all fields of {@code headers}. */
    public Builder addAll(Headers headers) {
      for (int i = 0; i < headers.size(); i++) {
        int length = headers.valueLength(i);
        int at = reserve(length);
        headers.copyValue(i, values, at);
        commit(headers.names[i], at, length);
      }
      return this;
    }

    /**
     * Removes all fields with this name and adds this one at the end.
     *
     * @throws IllegalArgumentException if one of them is not valid; nothing is removed then
     */
    public Builder set(String name, String value) {
      return set(HeaderName.of(name), value);
    }

    /** As {@link #set(String, String)}. */
    public Builder set(HeaderName name, String value) {
      int before = size;
      add(name, value);
      removeBelow(name, before);
      return this;
    }

    /** Removes all fields with this name. */
    public Builder remove(HeaderName name) {
      removeBelow(name, size);
      return this;
    }

    /** Removes all fields with this name. */
    public Builder remove(String name) {
      return remove(HeaderName.of(name));
    }

    /** Removes the fields with this name among the first {@code limit}, and closes the gaps. */
    private void removeBelow(HeaderName name, int limit) {
      int kept = 0;
      int keptEnd = 0;
      int start = 0;
      for (int i = 0; i < size; i++) {
        int end = ends[i];
        if (i >= limit || !names[i].equals(name)) {
          System.arraycopy(values, start, values, keptEnd, end - start);
          keptEnd += end - start;
          names[kept] = names[i];
          ends[kept++] = keptEnd;
        }
        start = end;
      }
      size = kept;
    }

    /** Number of fields so far. */
    public int size() {
      return size;
    }

    /** Forgets all fields. */
    public Builder clear() {
      size = 0;
      return this;
    }

    /** The fields so far, in arrays of exactly their size; the builder keeps them. */
    public Headers build() {
      return size == 0
          ? EMPTY
          : new Headers(
              Arrays.copyOf(names, size), Arrays.copyOf(values, end()), Arrays.copyOf(ends, size));
    }
  }
}
