/** Two races beside each other, and goals for one. */
@NullMarked
package heddle.bench.compare;

import org.jspecify.annotations.NullMarked;
