/** Load generators in C, which show what the same load costs without a JVM. */
@NullMarked
package heddle.bench.tool;

import org.jspecify.annotations.NullMarked;
