/** The live view of a load or a race: a few lines that are redrawn. */
@NullMarked
package heddle.cli.live;

import org.jspecify.annotations.NullMarked;
