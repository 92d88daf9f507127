/** Reads the values of options: times, rates. */
@NullMarked
package heddle.cli.value;

import org.jspecify.annotations.NullMarked;
