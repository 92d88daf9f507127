/** The result of a race as plain values. */
@NullMarked
package heddle.bench.result;

import org.jspecify.annotations.NullMarked;
