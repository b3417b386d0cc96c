# Becomes a command that cannot outlive the process which has the FIFO open to write.
# Run by setsid: this shell leads a session, and so the command does. $1: the FIFO; the others: the command.
watch=$1
shift
# First in both directions: to open a FIFO for reading waits for a writer, which may be dead already.
exec 9<>"$watch" 8<"$watch" 9>&- || exit 125
rm -f -- "$watch"
rmdir -- "${watch%/*}"

# Signals what has left the group but not the session, as the jobs of a shell with job control do.
elsewhere() {
  for stat in /proc/[0-9]*/stat; do
    line=
    { read -r line <"$stat"; } 2>/dev/null || continue
    pid=${stat#/proc/}
    pid=${pid%/stat}
    # Behind the name, which is in brackets: state, parent, group, session.
    set -- "$1" ${line##*) }
    if [ "${5-}" = "$$" ] && [ "${4-}" != "$$" ]; then kill -s "$1" "$pid"; fi
  done
}

# In the group, so that its number is given to nobody else while this runs; not a child of the command, which
# would not know it. Each line is a signal to send. At the end of all lines, which comes with the end of
# whoever holds the lock, all are killed, and this process with them.
( (
  trap '' HUP INT QUIT TERM USR1 USR2 ALRM TSTP
  exec <&8 8<&- >/dev/null 2>&1
  cd /
  while read -r signal; do
    elsewhere "$signal"
    kill -s "$signal" -- "-$$"
  done
  elsewhere KILL
  kill -s KILL -- "-$$"
) & )
exec 8<&-

# A second tie where util-linux has it: the kernel kills the command with the thread that started this.
if setpriv --pdeathsig KILL -- true >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL -- "$@"
fi
exec "$@"
