/** Which protocol a new channel speaks, and the driver that speaks it. */
@NullMarked
package heddle.connection.negotiate;

import org.jspecify.annotations.NullMarked;
