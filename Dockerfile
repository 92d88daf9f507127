# The heddle command, on nothing but its own root file system: a Java runtime of the modules that it
# needs, the C library of the machine that built it, and the jars. `heddle-cli/image TAG` makes that
# file system in heddle-cli/target/root, and then calls buildah, podman or docker with this file:
#   buildah bud -f Dockerfile -t TAG heddle-cli/target/root
FROM scratch
COPY . /
# Without rights; connections need none. Kubernetes mounts a volume on /tmp.
USER 65534:65534
WORKDIR /tmp
ENV HOME=/tmp
# There is no shell for bin/heddle.
ENTRYPOINT ["/opt/heddle/lib/runtime/bin/java", "-XX:AOTCache=/opt/heddle/lib/heddle.aot", "-jar", "/opt/heddle/lib/app/heddle-cli.jar"]
