/** Several processes of this machine that make one load, each one segment. */
@NullMarked
package heddle.load.cluster.crew;

import org.jspecify.annotations.NullMarked;
