/** The {@code heddle} command: options in, one of the engines run, an exit code out. */
@NullMarked
package heddle.cli;

import org.jspecify.annotations.NullMarked;
