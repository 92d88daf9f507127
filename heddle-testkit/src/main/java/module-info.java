/**
 * An in-memory network with faults and virtual time, and scripted peers, for tests of HTTP code.
 */
module heddle.testkit {
  requires static transitive org.jspecify;
  requires java.management;
  requires jdk.management;
  requires transitive heddle.codec;
  requires transitive heddle.transport;
  requires static transitive org.junit.jupiter.api;

  exports heddle.testkit;
  exports heddle.testkit.mock;
}
