/** The process that runs one client once: its task comes in arguments, its report goes as JSON. */
@NullMarked
package heddle.bench.worker;

import org.jspecify.annotations.NullMarked;
