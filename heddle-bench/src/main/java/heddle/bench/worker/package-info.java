/** The process that one client is raced in: it takes orders and gives reports, a line each. */
@NullMarked
package heddle.bench.worker;

import org.jspecify.annotations.NullMarked;
