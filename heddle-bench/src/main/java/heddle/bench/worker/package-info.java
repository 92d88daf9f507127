/** The process of one raced client: it reads orders and writes reports, one per line. */
@NullMarked
package heddle.bench.worker;

import org.jspecify.annotations.NullMarked;
