package heddle.examples.async;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Writes and reads an S3 object; {@link AwsAsyncAfter} is the same with one line changed. */
final class AwsAsyncBefore {

  void main(String[] args) {
    URI endpoint = URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:9000");
    try (S3AsyncClient s3 = S3AsyncClient.builder()
        .httpClientBuilder(NettyNioAsyncHttpClient.builder())
        .endpointOverride(endpoint)
        .forcePathStyle(true)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
        .build()) {
      s3.putObject(to -> to.bucket("looms").key("heddle"), AsyncRequestBody.fromString("Hello!"))
          .thenCompose(written -> s3.getObject(
              from -> from.bucket("looms").key("heddle"), AsyncResponseTransformer.toBytes()))
          .thenAccept(read -> IO.println(read.asUtf8String()))
          .join();
    }
  }
}
