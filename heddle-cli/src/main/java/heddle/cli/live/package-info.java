/** What a person sees of a load or a race while it runs: a few lines, drawn again and again. */
@NullMarked
package heddle.cli.live;

import org.jspecify.annotations.NullMarked;
