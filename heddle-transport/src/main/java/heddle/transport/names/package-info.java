/** How host names become addresses. */
@NullMarked
package heddle.transport.names;

import org.jspecify.annotations.NullMarked;
