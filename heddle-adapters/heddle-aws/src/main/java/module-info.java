/** Heddle's client under the AWS SDK for Java 2. */
@SuppressWarnings("requires-transitive-automatic") // the SDK's jars have no descriptor, only names
module heddle.adapters.aws {
  requires static transitive org.jspecify;
  requires transitive heddle.client;
  requires heddle.adapters.support;
  requires transitive software.amazon.awssdk.http;
  requires transitive software.amazon.awssdk.utils;
  requires software.amazon.awssdk.metrics;
  requires org.reactivestreams;

  exports heddle.adapters.aws;

  uses software.amazon.awssdk.http.SdkHttpService;
  uses software.amazon.awssdk.http.async.SdkAsyncHttpService;

  provides software.amazon.awssdk.http.SdkHttpService with
      heddle.adapters.aws.HeddleHttpService;
  provides software.amazon.awssdk.http.async.SdkAsyncHttpService with
      heddle.adapters.aws.HeddleAsyncHttpService;
}
