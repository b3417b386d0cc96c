# Becomes a command that dies with the lock's process, which holds the FIFO open for writing.
# setsid runs this shell as the leader of a session; the command takes its place. $1: the FIFO; the rest: the command.
# The file "pulse" beside the FIFO has three numbers, in hundredths of a second of /proc/uptime: until when the command
# may run (0: without limit), when this was written, and the sum of both.
watch=$1
pulse=${watch%/*}/pulse
shift
# Opened for reading and writing first: opening a FIFO for reading alone waits for a writer, which may be dead already.
exec 9<>"$watch" 8<"$watch" 9>&- 6<"$pulse" || exit 125
read -r end seen sum </proc/self/fd/6 || exit 125
rm -f -- "$watch" "$pulse"
rmdir -- "${watch%/*}"

# Signals the processes that have left the process group but not the session, such as jobs of a shell with job control.
# $1: the signal; $2: the session. In /proc/PID/stat the name stands in brackets; state, parent, group, session follow.
elsewhere='
  for stat in /proc/[0-9]*/stat; do
    line=
    { read -r line <"$stat"; } 2>/dev/null || continue
    pid=${stat#/proc/}
    pid=${pid%/stat}
    set -- "$1" "$2" ${line##*) }
    if [ "${6-}" = "$2" ] && [ "${5-}" != "$2" ]; then kill -s "$1" "$pid"; fi
  done'

# With a time limit: kills all once the limit has passed and the lock's process has not written for half a second.
# The file has no name any more; opening its descriptor anew reads it from the start each time.
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
    # Makes the file longer than before, by which the lock's process learns of the end.
    echo over >>/proc/self/fd/6
    # Runs in another session, so that it can kill the group, this process included, before it searches for others.
    setsid sh -c 'kill -s KILL -- "-$2";'"$elsewhere" recorder-guard KILL "$$" &
    wait
  ) & )
fi

# Stays in the group, so that the system does not give the group's number to others. Is no child of the command, which
# does not expect one. Each line of the FIFO is a signal to send. The FIFO ends with the lock's process; then this kills
# all processes, itself included.
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

# If util-linux can, the kernel also kills the command at the end of the thread that started it.
if setpriv --pdeathsig KILL -- true >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL -- "$@"
fi
exec "$@"
