package heddle.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a bucket has tokens. */
final class TokenBucketTest {
  /** Reserves as many tokens as given, at one time, and returns how long each is waited for. */
  private static List<Long> waits(TokenBucket bucket, int tokens, long now) {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < tokens; i++) {
      long wait = bucket.waitNanos(now);
      assertEquals(wait, bucket.waitNanos(bucket.reserve(now), now));
      waits.add(wait);
    }
    return waits;
  }

  @Test
  void tokensBeyondTheBurstComeOneAfterTheOther() {
    TokenBucket bucket = new TokenBucket(10, 3, 100);
    assertEquals(List.of(0L, 0L, 0L, 10L, 20L), waits(bucket, 5, 100));
    assertEquals(List.of(15L, 25L), waits(bucket, 2, 115));
  }

  @Test
  void fullBucketHoldsNoMoreThanTheBurst() {
    TokenBucket bucket = new TokenBucket(10, 2, 0);
    assertEquals(List.of(0L, 0L, 10L), waits(bucket, 3, 1_000_000));
  }

  @Test
  void reservationThatIsGivenBackServesTheNext() {
    TokenBucket bucket = new TokenBucket(10, 1, 0);
    bucket.reserve(0);
    long last = bucket.reserve(0);
    bucket.giveBack(last);
    assertEquals(10, bucket.waitNanos(0));
  }

  @Test
  void reservationBeforeOthersIsLostWhenItIsGivenBack() {
    TokenBucket bucket = new TokenBucket(10, 1, 0);
    bucket.reserve(0);
    long earlier = bucket.reserve(0);
    bucket.reserve(0);
    bucket.giveBack(earlier);
    assertEquals(30, bucket.waitNanos(0));
  }

  @Test
  void pausePutsOffWhatIsReservedAndWhatFollows() {
    TokenBucket bucket = new TokenBucket(10, 1, 0);
    bucket.reserve(0);
    long reserved = bucket.reserve(0);
    bucket.pauseUntil(105, 5);
    bucket.pauseUntil(50, 5);
    assertEquals(105, bucket.waitNanos(reserved, 5));
    assertEquals(115, bucket.waitNanos(5));
    bucket.pauseUntil(205, 30);
    assertEquals(180, bucket.waitNanos(reserved, 30));
    assertEquals(0, bucket.waitNanos(reserved, 210));
  }

  @Test
  void pauseOfAFullBucketKeepsItsTokens() {
    TokenBucket bucket = new TokenBucket(10, 2, 0);
    bucket.pauseUntil(100, 0);
    assertEquals(List.of(60L, 60L, 70L), waits(bucket, 3, 40));
  }

  @Test
  void bucketIsFullOnceEverythingIsOver() {
    TokenBucket bucket = new TokenBucket(10, 2, 0);
    assertTrue(bucket.isFull(0));
    bucket.reserve(0);
    assertFalse(bucket.isFull(9));
    assertTrue(bucket.isFull(10));
    bucket.addWaiting(1);
    assertFalse(bucket.isFull(10));
    bucket.addWaiting(-1);
    bucket.pauseUntil(50, 10);
    assertFalse(bucket.isFull(49));
    assertTrue(bucket.isFull(50));
  }

  /** In no window of time are there more tokens than the burst and what the window adds. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void limitHoldsInEachWindow(int seed) {
    Random random = new Random(seed);
    int burst = 1 + random.nextInt(5);
    TokenBucket bucket = new TokenBucket(100, burst, 0);
    List<Long> used = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 500; i++) {
      now += random.nextInt(5) == 0 ? random.nextInt(1_000) : random.nextInt(60);
      long wait = bucket.waitNanos(now);
      used.add(now + wait);
      bucket.reserve(now);
    }
    for (int first = 0; first < used.size(); first++) {
      for (int last = first; last < used.size(); last++) {
        long window = used.get(last) - used.get(first);
        assertTrue(last - first + 1 <= burst + window / 100, "seed " + seed);
      }
    }
  }
}
