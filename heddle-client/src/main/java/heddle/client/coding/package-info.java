/** Content codings of responses: asking for gzip, deflate and others, and decoding them. */
@NullMarked
package heddle.client.coding;

import org.jspecify.annotations.NullMarked;
