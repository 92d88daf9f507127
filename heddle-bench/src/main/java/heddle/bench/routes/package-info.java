/** The routes of the server of an experiment. */
@NullMarked
package heddle.bench.routes;

import org.jspecify.annotations.NullMarked;
