/** The Java agent that puts the HTTP clients of a process on Heddle. */
@NullMarked
package heddle.adapters.agent;

import org.jspecify.annotations.NullMarked;
