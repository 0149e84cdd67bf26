#!/bin/bash
# The dead-man for robots without Python: passes one client (stdin, stdout) to kh4server's line, and stops the wheels
# when the client is gone or silent for half a second. No second port. Needs bash or an ash whose `read -t` takes 0.5.
#
#   socat PTY,link=/run/kh4a,raw,echo=0 PTY,link=/run/kh4b,raw,echo=0 &
#   /home/root/kh4server /run/kh4a &
#   socat TCP-LISTEN:7000,reuseaddr,nodelay,fork,max-children=1 EXEC:"/home/root/kh4relay.sh /run/kh4b"
line=${1:-/run/kh4b}
moving=0

stop() {
    moving=0
    for order in D,0,0 D,0,0 M; do
        printf '%s\n' "$order" > "$line"
        sleep 0.05
    done
}

cat "$line" &
reader=$!
trap 'stop; kill $reader' EXIT
trap 'exit 0' HUP INT TERM

while true; do
    if IFS= read -r -t 0.5 request; then
        case $request in
            D,0,0 | M) moving=0 ;;
            A* | D* | F* | L*) moving=1 ;;
        esac
        printf '%s\n' "$request" > "$line"
    elif [ $? -gt 128 ]; then
        if [ $moving = 1 ]; then stop; fi
    else
        exit 0
    fi
done
