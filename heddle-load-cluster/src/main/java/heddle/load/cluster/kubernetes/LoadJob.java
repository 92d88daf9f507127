package heddle.load.cluster.kubernetes;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A load made by pods: an Indexed Job of Kubernetes ({@code batch/v1}), in which the pod with the
 * completion index i makes segment i + 1. All begin at the same time, and each prints its result as
 * a line of JSON; {@code heddle merge} reads the output of {@code kubectl logs}.
 *
 * <p>No index is retried, so that no segment is sent twice. An index that fails does not stop the
 * others, so that their results are not lost ({@code backoffLimitPerIndex}, from Kubernetes 1.29
 * on).
 *
 * @param name the name of the job, a DNS label (RFC 1123); with the largest index at most 63
 *     characters
 * @param namespace null for the one that {@code kubectl} uses
 * @param image the image; its entry point is the command, unless that is given
 * @param command the name or path of the command in the image; null for its entry point
 * @param pods the number of pods, 1 to 10,000
 * @param cpu request and limit per pod, such as {@code 2} or {@code 500m}
 * @param memory request and limit per pod, such as {@code 1Gi}
 * @param startAt when the load begins
 * @param loadOptions the options of {@code heddle load} for the whole load
 * @param isLogged whether each pod prints an interval log too
 */
public record LoadJob(
    String name,
    @Nullable String namespace,
    String image,
    @Nullable String command,
    int pods,
    String cpu,
    String memory,
    Instant startAt,
    List<String> loadOptions,
    boolean isLogged) {

  private static final int MOST_PODS = 10_000;
  private static final int LONGEST_LABEL = 63;

  /** A pod's name is that of the job with its index, and must be a label too. */
  private static final Pattern LABEL = Pattern.compile("[a-z]([a-z0-9-]*[a-z0-9])?");

  private static final Pattern IMAGE = Pattern.compile("[^\\s\\p{Cntrl}]+");
  private static final Pattern COMMAND = Pattern.compile("[A-Za-z0-9._/-]+");
  private static final Pattern CPU = Pattern.compile("\\d{1,5}(\\.\\d{1,3})?|\\d{1,8}m");
  private static final Pattern MEMORY =
      Pattern.compile("\\d{1,12}(\\.\\d{1,3})?[KMGT]i?|\\d{6,15}");

  /** The user id without rights: opening connections needs none. */
  private static final int USER = 65_534;

  /** Checks the values; throws {@link IllegalArgumentException} if one is invalid. */
  public LoadJob {
    loadOptions = List.copyOf(loadOptions);
    require(pods >= 1 && pods <= MOST_PODS, "pods must be 1 to " + MOST_PODS + ", not " + pods);
    int longest = LONGEST_LABEL - 1 - String.valueOf(pods - 1).length();
    require(
        LABEL.matcher(name).matches() && name.length() <= longest,
        "a name has lower-case letters, digits and -, begins with a letter, and with " + pods
            + " pods is at most " + longest + " characters long, not '" + name + "'");
    require(
        namespace == null
            || LABEL.matcher(namespace).matches() && namespace.length() <= LONGEST_LABEL,
        "a namespace has lower-case letters, digits and -, not '" + namespace + "'");
    require(
        IMAGE.matcher(image).matches(), "an image has a name without spaces, not '" + image + "'");
    require(
        command == null || COMMAND.matcher(command).matches(),
        "a command is a name or a path in the image, not '" + command + "'");
    require(CPU.matcher(cpu).matches(), "CPU is such as 2 or 500m, not '" + cpu + "'");
    require(
        MEMORY.matcher(memory).matches(), "memory is such as 512Mi or 2Gi, not '" + memory + "'");
  }

  private static void require(boolean isTrue, String otherwise) {
    if (!isTrue) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** The job as YAML, with a comment that says how to run it and how to merge its results. */
  public String toYaml() {
    return comment() + Yaml.of(asMap());
  }

  private String comment() {
    String where = namespace == null ? "" : " -n " + namespace;
    String file = name + ".yaml";
    return """
        # A load over %1$d pods, which begins at %2$s: apply it well before, so that
        # all pods run by then; one that is late refuses to begin.
        #
        #   kubectl apply%3$s -f %4$s
        #   kubectl get%3$s job/%5$s --watch    (until no pod is active)
        #   kubectl logs%3$s -l batch.kubernetes.io/job-name=%5$s --tail=-1 >%5$s.log
        #   heddle merge %5$s.log%6$s
        #   kubectl delete%3$s job/%5$s
        """
        .formatted(pods, startAt, where, file, name, isLogged ? " --hdr " + name + ".hlog" : "");
  }

  /** The manifest of the job. */
  Map<String, Object> asMap() {
    Map<String, Object> labels = map("app.kubernetes.io/name", "heddle-load");
    Map<String, Object> metadata = map("name", name);
    if (namespace != null) {
      metadata.put("namespace", namespace);
    }
    metadata.put("labels", labels);
    Map<String, Object> spec = map("completionMode", "Indexed");
    spec.put("completions", pods);
    spec.put("parallelism", pods);
    spec.put("backoffLimitPerIndex", 0);
    spec.put("maxFailedIndexes", pods);
    spec.put("template", map("metadata", map("labels", labels), "spec", pod()));
    return map("apiVersion", "batch/v1", "kind", "Job", "metadata", metadata, "spec", spec);
  }

  private Map<String, Object> pod() {
    Map<String, Object> pod = map("restartPolicy", "Never");
    pod.put("automountServiceAccountToken", false);
    pod.put("enableServiceLinks", false);
    pod.put(
        "securityContext",
        map(
            "runAsNonRoot",
            true,
            "runAsUser",
            USER,
            "runAsGroup",
            USER,
            "seccompProfile",
            map("type", "RuntimeDefault")));
    // Pods on one node share its cores and its link.
    pod.put(
        "topologySpreadConstraints",
        List.of(map(
            "maxSkew",
            1,
            "topologyKey",
            "kubernetes.io/hostname",
            "whenUnsatisfiable",
            "ScheduleAnyway",
            "labelSelector",
            map("matchLabels", map("batch.kubernetes.io/job-name", name)))));
    pod.put("containers", List.of(container()));
    pod.put("volumes", List.of(map("name", "tmp", "emptyDir", map())));
    return pod;
  }

  private Map<String, Object> container() {
    Map<String, Object> container = map("name", "load", "image", image);
    if (command != null) {
      container.put("command", List.of(command));
    }
    container.put("args", args());
    container.put(
        "env", List.of(map("name", "JAVA_TOOL_OPTIONS", "value", "-XX:MaxRAMPercentage=70")));
    Map<String, Object> amounts = map("cpu", cpu, "memory", memory);
    container.put("resources", map("requests", amounts, "limits", new LinkedHashMap<>(amounts)));
    container.put(
        "securityContext",
        map(
            "allowPrivilegeEscalation", false,
            "readOnlyRootFilesystem", true,
            "capabilities", map("drop", List.of("ALL"))));
    container.put("volumeMounts", List.of(map("name", "tmp", "mountPath", "/tmp")));
    return container;
  }

  private List<String> args() {
    List<String> args = new ArrayList<>(List.of("load"));
    loadOptions.forEach(each -> args.add(literal(each)));
    args.add("--start-at");
    args.add(startAt.toString());
    args.add("--json");
    args.add("-");
    args.add("--no-tui");
    if (isLogged) {
      args.add("--hdr");
      args.add("-");
    }
    args.add("--segment");
    args.add("index:$(JOB_COMPLETION_INDEX)/" + pods); // Kubernetes sets and expands it.
    return args;
  }

  /** Kubernetes expands {@code $(NAME)}, and replaces $$ by $. */
  private static String literal(String text) {
    return text.replace("$", "$$");
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return map;
  }
}
