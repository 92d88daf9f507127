/** How long a fresh JVM takes to its first answer. */
@NullMarked
package heddle.bench.coldstart;

import org.jspecify.annotations.NullMarked;
