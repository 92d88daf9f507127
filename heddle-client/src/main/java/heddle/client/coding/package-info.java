/** Content codings of responses: asking for gzip and deflate, and undoing them. */
@NullMarked
package heddle.client.coding;

import org.jspecify.annotations.NullMarked;
