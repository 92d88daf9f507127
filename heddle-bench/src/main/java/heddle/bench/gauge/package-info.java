/** Gauges of a process and of the machine that it runs on. */
@NullMarked
package heddle.bench.gauge;

import org.jspecify.annotations.NullMarked;
