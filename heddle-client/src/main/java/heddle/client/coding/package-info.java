/** Content codings of responses: asking for gzip and deflate, and decoding them. */
@NullMarked
package heddle.client.coding;

import org.jspecify.annotations.NullMarked;
