# Sourced by the launchers of a checkout and of a distribution, with the command as "$1". Sets
# `quick`, `terminal` and `shown`, options for the JVM.

# A command that is over in a moment gains from a quick start, the others from the best code.
quick=
case ${1:-} in
  serve | load | worker | race) ;;
  # A cache that does not fit this JVM is passed over in silence.
  *) quick='-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xlog:aot*=off,cds*=off' ;;
esac
# Whether a person watches what is said beside the result.
terminal=false
if [ -t 2 ]; then
  terminal=true
fi
# Whether a person sees the result itself.
shown=false
if [ -t 1 ]; then
  shown=true
fi
