/**
 * What the command line says of its command of rooms. Apart from the command itself, which needs Colyseus.
 */
export const roomHelp = `
Rooms
  moreau-services rooms --redis <url> [options]     runs rooms until SIGTERM, which hands them to other processes
    --port 2567               of the web server and the rooms
    --address <host:port>     by which clients reach this process
    --scenes <file.mjs>       a module whose default export is a scene; may be repeated. Without: stacks
    --operations-port <n>     of /healthz and /metrics; default: any that is free, told in the log
    --operations-host <host>  from where they can be reached; default 127.0.0.1: this machine alone
    --proxies <n>             before it, of which each adds to x-forwarded-for; default 0
`
