/** What the server of an experiment answers. */
@NullMarked
package heddle.bench.routes;

import org.jspecify.annotations.NullMarked;
