/** Reads and writes results of loads as JSON, and adds those of several processes without loss. */
@NullMarked
package heddle.load.cluster.merge;

import org.jspecify.annotations.NullMarked;
