/** Code shared by the adapters. Not an API for users: it changes without notice. */
@NullMarked
package heddle.adapters.support;

import org.jspecify.annotations.NullMarked;
