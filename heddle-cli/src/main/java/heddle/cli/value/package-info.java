/** How the values of options are written: times, rates. */
@NullMarked
package heddle.cli.value;

import org.jspecify.annotations.NullMarked;
