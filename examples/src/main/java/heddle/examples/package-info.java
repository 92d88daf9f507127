/** Small programs that show how Heddle is used. */
@NullMarked
package heddle.examples;

import org.jspecify.annotations.NullMarked;
