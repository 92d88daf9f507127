/**
 * A server for users' own tests, which answers as it is told and fails in the ways that servers and
 * networks fail.
 */
@NullMarked
package heddle.testkit.mock;

import org.jspecify.annotations.NullMarked;
