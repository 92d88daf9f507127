/** The servers that raced clients ask. */
@NullMarked
package heddle.bench.server;

import org.jspecify.annotations.NullMarked;
