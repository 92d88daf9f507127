package heddle.jmh;

import heddle.codec.hpack.HpackDecoder;
import heddle.codec.hpack.HpackEncoder;
import heddle.codec.hpack.HpackException;
import heddle.codec.hpack.HpackField;
import heddle.codec.hpack.HpackOutput;
import heddle.codec.hpack.HpackSink;
import heddle.codec.hpack.Pseudo;
import heddle.http.Headers;
import heddle.http.failure.MalformedMessageException.Kind;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Decodes header blocks on a connection that has received the same ones before. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HpackDecode implements HpackSink {
  private final HpackEncoder encoder = new HpackEncoder(4_096);
  private final HpackDecoder decoder = new HpackDecoder(4_096, 65_536, 200);
  private byte[] known = {};
  private byte[] literals = {};
  private int valueBytes;

  /** Fills the tables of both sides. */
  @Setup
  public void fillTables() throws HpackException {
    Headers fields = Messages.responseFields();
    Headers repeated =
        fields.toBuilder().remove("Content-Length").remove("X-Request-Id").build();
    byte[] other = block(Headers.of("X-Request-Id", "that of another response"));
    decoder.decode(other, 0, other.length, this);
    for (int round = 0; round < 2; round++) {
      known = block(repeated);
      decoder.decode(known, 0, known.length, this);
      literals = block(fields);
      decoder.decode(literals, 0, literals.length, this);
    }
  }

  private byte[] block(Headers fields) {
    HpackOutput out = new HpackOutput(512);
    encoder.begin(out);
    encoder.field(Pseudo.STATUS, "200");
    for (int i = 0; i < fields.size(); i++) {
      encoder.field(fields.name(i), fields, i);
    }
    return Arrays.copyOf(out.array(), out.length());
  }

  /** Every field is in the tables. */
  @Benchmark
  public int knownResponse() throws HpackException {
    valueBytes = 0;
    decoder.decode(known, 0, known.length, this);
    return valueBytes;
  }

  /** Two fields are written out, one of them in the Huffman code. */
  @Benchmark
  public int responseWithLiterals() throws HpackException {
    valueBytes = 0;
    decoder.decode(literals, 0, literals.length, this);
    return valueBytes;
  }

  @Override
  public void field(HpackField field) {
    valueBytes += field.value().length;
  }

  @Override
  public void malformed(Kind kind, String why) {
    throw new IllegalStateException(why);
  }
}
