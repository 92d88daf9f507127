/** Fields that several packages read. */
@NullMarked
package heddle.web.syntax;

import org.jspecify.annotations.NullMarked;
