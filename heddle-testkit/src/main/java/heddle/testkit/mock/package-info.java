/**
 * A server for users' tests, which answers as the test says and fails in the ways that servers and
 * networks fail.
 */
@NullMarked
package heddle.testkit.mock;

import org.jspecify.annotations.NullMarked;
