/** What this machine allows a load, a race or a server, and what to change. */
@NullMarked
package heddle.cli.machine;

import org.jspecify.annotations.NullMarked;
