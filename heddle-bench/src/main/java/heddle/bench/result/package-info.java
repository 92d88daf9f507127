/** What a race found, as plain values. */
@NullMarked
package heddle.bench.result;

import org.jspecify.annotations.NullMarked;
