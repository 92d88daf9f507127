/**
 * The settings of a client: timeouts, limits, and the policies that decide whether a request is
 * sent again, where redirects lead, and which addresses may be connected to.
 */
@NullMarked
package heddle.client.settings;

import org.jspecify.annotations.NullMarked;
