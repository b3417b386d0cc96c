# Becomes a command that cannot outlive the process which has the FIFO open to write.
# Run by setsid: this shell leads a session, and so the command does. $1: the FIFO; the others: the command.
# Beside the FIFO is a file, the pulse: until when the command may run, when that was written, and the sum of both,
# in hundredths of a second of /proc/uptime; 0 for ever.
watch=$1
pulse=${watch%/*}/pulse
shift
# First in both directions: to open a FIFO for reading waits for a writer, which may be dead already.
exec 9<>"$watch" 8<"$watch" 9>&- 6<"$pulse" || exit 125
read -r end seen sum </proc/self/fd/6 || exit 125
rm -f -- "$watch" "$pulse"
rmdir -- "${watch%/*}"

# Signals what has left the group but not the session, as the jobs of a shell with job control do. $1: the signal;
# $2: the session. Behind a name, which is in brackets, are state, parent, group, session.
elsewhere='
  for stat in /proc/[0-9]*/stat; do
    line=
    { read -r line <"$stat"; } 2>/dev/null || continue
    pid=${stat#/proc/}
    pid=${pid%/stat}
    set -- "$1" "$2" ${line##*) }
    if [ "${6-}" = "$2" ] && [ "${5-}" != "$2" ]; then kill -s "$1" "$pid"; fi
  done'

# Where somebody has to vouch for the command: kills all when the time is over and whoever vouched has not been
# heard of for half a second. The file has no name any more, but is opened anew each time, to be read from its start.
if [ "$end" != 0 ]; then
  ( (
    trap '' HUP INT QUIT TERM USR1 USR2 ALRM TSTP
    exec 8<&- </dev/null >/dev/null 2>&1
    cd /
    while read -r end seen sum </proc/self/fd/6; do
      if [ "$sum" != "$((end + seen))" ]; then continue; fi
      if [ "$end" -lt "$((seen + 50))" ]; then end=$((seen + 50)); fi
      read -r now idle </proc/uptime
      left=$((end - ${now%.*}${now#*.}))
      if [ "$left" -le 0 ]; then break; fi
      part=$((left % 100))
      if [ "$part" -lt 10 ]; then part=0$part; fi
      sleep "$((left / 100)).$part" || sleep 1
    done
    # Longer than it was: by that whoever vouched will know.
    echo over >>/proc/self/fd/6
    # From outside, so that the group, with this process, goes first: to look for others takes time.
    setsid sh -c 'kill -s KILL -- "-$2";'"$elsewhere" recorder-guard KILL "$$" &
    wait
  ) & )
fi

# In the group, so that its number is given to nobody else while this runs; not a child of the command, which
# would not know it. Each line is a signal to send. At the end of all lines, which comes with the end of
# whoever holds the lock, all are killed, and this process with them.
( (
  trap '' HUP INT QUIT TERM USR1 USR2 ALRM TSTP
  exec <&8 8<&- 6<&- >/dev/null 2>&1
  cd /
  while read -r signal; do
    set -- "$signal" "$$"
    eval "$elsewhere"
    kill -s "$signal" -- "-$$"
  done
  set -- KILL "$$"
  eval "$elsewhere"
  kill -s KILL -- "-$$"
) & )
exec 8<&- 6<&-

# A second tie where util-linux has it: the kernel kills the command with the thread that started this.
if setpriv --pdeathsig KILL -- true >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL -- "$@"
fi
exec "$@"
