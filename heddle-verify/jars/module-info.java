/** Uses the jars as the module of a user does. */
module smoke {
  requires heddle.client;
  requires heddle.server;
  requires java.net.http;
}
