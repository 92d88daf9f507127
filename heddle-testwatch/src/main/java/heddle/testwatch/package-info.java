/**
 * What the tests of several modules share: a watch for pinned threads, and JVMs with few file
 * descriptors. Never published.
 */
@NullMarked
package heddle.testwatch;

import org.jspecify.annotations.NullMarked;
