package heddle.examples;

import heddle.adapters.aws.HeddleHttpClient;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Writes and reads an S3 object over Heddle: {@link AwsBefore} with one line changed. */
final class AwsAfter {

  void main(String[] args) {
    URI endpoint = URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:9000");
    try (S3Client s3 = S3Client.builder()
        .httpClientBuilder(HeddleHttpClient.builder())
        .endpointOverride(endpoint)
        .forcePathStyle(true)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
        .build()) {
      s3.putObject(to -> to.bucket("looms").key("heddle"), RequestBody.fromString("Hello!"));
      IO.println(s3.getObjectAsBytes(from -> from.bucket("looms").key("heddle")).asUtf8String());
    }
  }
}
