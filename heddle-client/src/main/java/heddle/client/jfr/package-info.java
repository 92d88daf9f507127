/** The client's events for Java Flight Recorder. */
@NullMarked
package heddle.client.jfr;

import org.jspecify.annotations.NullMarked;
