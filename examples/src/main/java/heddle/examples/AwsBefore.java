package heddle.examples;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Writes and reads an S3 object; {@link AwsAfter} is the same with one line changed. */
final class AwsBefore {

  void main(String[] args) {
    URI endpoint = URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:9000");
    try (S3Client s3 = S3Client.builder()
        .httpClientBuilder(Apache5HttpClient.builder())
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
