/** How values of this project are written as JSON and read back. */
@NullMarked
package heddle.load.cluster.json;

import org.jspecify.annotations.NullMarked;
