package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class K8sCommandTest {

  @Test
  void jobIsPrintedWithWordsOnHowToRunIt() {
    Ran ran = k8s(
        List.of("--namespace", "shop", "--name", "sale", "--start-at", "+10m"),
        "http://service:8080/hello",
        "-r",
        "200",
        "-c",
        "8",
        "-d",
        "1m");
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().startsWith("# A load over 4 pods"), ran::out);
    assertTrue(ran.out().contains("kubectl apply -n shop -f sale.yaml"), ran::out);
    assertTrue(ran.out().contains("heddle merge sale.log"), ran::out);
    assertTrue(ran.out().contains("\nkind: Job\n"), ran::out);
    assertTrue(ran.out().contains("- \"http://service:8080/hello\"\n"), ran::out);
    assertTrue(ran.out().contains("- \"index:$(JOB_COMPLETION_INDEX)/4\"\n"), ran::out);
  }

  @Test
  void optionsOfTheLoadAreCheckedBeforeAnythingIsPrinted() {
    k8s(List.of(), "-d", "1s").assertRefused("after --", "URL");
    k8s(List.of(), "http://a/").assertRefused("-n", "-d");
    k8s(List.of(), "http://a/", "-d", "soon").assertRefused("--duration", "soon");
    k8s(List.of(), "http://a/", "-d", "1s", "-c", "3").assertRefused("4 callers", "not 3");
    k8s(List.of(), "http://a/", "-d", "1s", "--what").assertRefused("--what");
    k8s(List.of(), "http://a/", "-d", "1s", "--json", "a").assertRefused("--json", "a pod");
    k8s(List.of(), "http://a/", "-d", "1s", "-b", "@a").assertRefused("a");
    k8s(List.of(), "http://a/", "-d", "1s", "--slo", "p99<1s").assertRefused("heddle merge");
    k8s(List.of(), "http://a/", "-d", "1s", "--start-at", "+1m").assertRefused("before --");
    k8s(List.of(), "http://a/", "-d", "1s", "--segment", "1/4").assertRefused("--segment");
    Ran.of("k8s", "--pods", "2", "--", "http://a/", "-d", "1s").assertRefused("--image");
    k8s(List.of("--memory", "much"), "http://a/", "-d", "1s").assertRefused("memory", "much");
    k8s(List.of("--start-at", "2020-01-01T00:00:00Z"), "http://a/", "-d", "1s")
        .assertRefused("--start-at 2020");
  }

  private static Ran k8s(List<String> options, String... load) {
    List<String> all = new ArrayList<>(List.of("k8s", "--pods", "4", "--image", "heddle:1"));
    all.addAll(options);
    all.add("--");
    all.addAll(List.of(load));
    return Ran.of(all.toArray(String[]::new));
  }
}
