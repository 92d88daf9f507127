/** What a process, and the machine that it runs on, say of themselves. */
@NullMarked
package heddle.bench.gauge;

import org.jspecify.annotations.NullMarked;
