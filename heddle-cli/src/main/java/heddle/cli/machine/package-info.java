/** Checks the limits of this machine for a load, a race or a server. */
@NullMarked
package heddle.cli.machine;

import org.jspecify.annotations.NullMarked;
