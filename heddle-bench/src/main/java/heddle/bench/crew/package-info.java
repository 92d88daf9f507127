/** Several processes of this machine that make one load, each its segment. */
@NullMarked
package heddle.bench.crew;

import org.jspecify.annotations.NullMarked;
