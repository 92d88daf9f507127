/** In Maven's JVM only: {@code mvnw} compiles it and puts it on the module path. */
module heddle.build {
  exports heddle.build;
}
