/** Results of loads as JSON, and how those of several processes are added without loss. */
@NullMarked
package heddle.bench.merge;

import org.jspecify.annotations.NullMarked;
