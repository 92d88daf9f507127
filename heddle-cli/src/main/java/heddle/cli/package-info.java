/** The {@code heddle} command. */
@NullMarked
package heddle.cli;

import org.jspecify.annotations.NullMarked;
