package heddle.web.form;

import java.io.ByteArrayInputStream;

/** Returns at most a few octets from each read. */
final class PieceByPiece extends ByteArrayInputStream {
  private final int most;

  PieceByPiece(byte[] content, int most) {
    super(content);
    this.most = most;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    return super.read(target, offset, Math.min(length, most));
  }
}
