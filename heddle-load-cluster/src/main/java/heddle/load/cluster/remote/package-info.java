/** Workers on other hosts: listening, authentication and the difference of clocks. */
@NullMarked
package heddle.load.cluster.remote;

import org.jspecify.annotations.NullMarked;
