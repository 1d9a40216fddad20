# Free TCP ports. Sourced.

# free_port: a port on 127.0.0.1 that nobody listened on a moment ago.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
