/** Load generators in C, which show the cost of the same load without a JVM. */
@NullMarked
package heddle.bench.tool;

import org.jspecify.annotations.NullMarked;
