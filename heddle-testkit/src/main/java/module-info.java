/**
 * An in-memory network with faults and virtual time, and scripted peers, for tests of HTTP code.
 *
 * <p>The engine exports the channels, loops and frames that appear here to this module, not to
 * everyone. Tests on the class path can use all of them. Tests that are compiled as a module must
 * require this one, and cannot name those types.
 */
module heddle.testkit {
  requires static transitive org.jspecify;
  requires transitive heddle.codec;
  requires transitive heddle.transport;
  requires static transitive org.junit.jupiter.api;

  exports heddle.testkit;
  exports heddle.testkit.mock;
}
