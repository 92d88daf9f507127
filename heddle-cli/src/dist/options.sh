# Sourced by the launchers of a checkout and of a distribution, with the command as "$1". Sets
# `quick` and `terminal`, options for the JVM.

# A command that is over in a moment gains from a quick start, the others from the best code.
quick=
case ${1:-} in
  serve | load | race) ;;
  *) quick='-XX:+UseSerialGC -XX:TieredStopAtLevel=1' ;;
esac
# Whether a person watches what is said beside the result.
terminal=false
if [ -t 2 ]; then
  terminal=true
fi
