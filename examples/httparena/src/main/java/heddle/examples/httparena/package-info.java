/** The routes of the HttpArena benchmark. */
@NullMarked
package heddle.examples.httparena;

import org.jspecify.annotations.NullMarked;
