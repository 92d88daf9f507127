/** How the pool hands its connections over, under jcstress. */
@NullMarked
package heddle.client.pool;

import org.jspecify.annotations.NullMarked;
