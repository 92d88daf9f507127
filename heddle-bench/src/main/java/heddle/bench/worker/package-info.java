/** The process that runs one client once: reads its task from arguments, prints one line of JSON. */
@NullMarked
package heddle.bench.worker;

import org.jspecify.annotations.NullMarked;
