/** Resources of Jersey (Jakarta REST) on Heddle's server. */
@NullMarked
package heddle.jersey.server;

import org.jspecify.annotations.NullMarked;
