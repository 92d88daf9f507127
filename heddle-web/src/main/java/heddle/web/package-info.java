/** Routes requests to handlers, and gives these what applications need. */
@NullMarked
package heddle.web;

import org.jspecify.annotations.NullMarked;
