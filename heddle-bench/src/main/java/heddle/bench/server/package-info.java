/** The servers of raced clients. */
@NullMarked
package heddle.bench.server;

import org.jspecify.annotations.NullMarked;
