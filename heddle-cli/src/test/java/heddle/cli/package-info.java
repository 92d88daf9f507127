/** The command, run with streams of the tests' own. */
@NullMarked
package heddle.cli;

import org.jspecify.annotations.NullMarked;
