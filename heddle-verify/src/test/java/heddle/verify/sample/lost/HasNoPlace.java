package heddle.verify.sample.lost;

/** Stands in a package that the layers do not name. */
public interface HasNoPlace {}
