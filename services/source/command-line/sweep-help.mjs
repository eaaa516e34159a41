export const sweepHelp = `Sweeps
  moreau-services sweep <scene> [axes] [options]    a file *.mjs or *.json, or a name of 'moreau list'
  moreau-services resume <sweep> [options]          makes what is missing
  moreau-services status [<sweep>]                  how far it is; without a name: all
  moreau-services cancel <sweep>                    no more of it is made; resume takes that back
  moreau-services export <sweep> [files]
  moreau-services check <file>...                   whether exported files are as they were written
  moreau-services worker --redis <url> [options]    takes chunks of any sweep until SIGTERM

Axes, each as often as one likes
  --grid <name>=<lower>:<upper>:<count>    or <name>=<value>,<value>
  --random <name>=<lower>:<upper>          uniform
  --sobol <name>=<lower>:<upper>           Sobol's sequence over all such axes, up to 10
  --latin <name>=<lower>:<upper>           a Latin hypercube over all such axes

Options of sweep
  --runs <n>         default: the points of the grid
  --seed <n>         of all random numbers, 0 to 1048575; default 1
  --chunk <n>        runs of a job; default 250, fewer where there are few runs

Options of sweep, resume and worker
  --workers <n>      threads here, or with --redis processes of this machine; default: all processors.
                     With --redis, 0 leaves the work to workers elsewhere
  --redis <url>      takes chunks through Redis; without it, this machine makes all
  --folder <path>    where sweeps without Redis are kept; default moreau-sweeps
  --scenes <path>    where the scene's file is; default: where it was when the sweep began; of worker: here
  --deadline <s>     that a chunk may take, until its runs are made one by one to find what hangs; default 300
  --lease <s>        after which the chunks of a process that is not heard of go to others; default 30
  --port <n>         of worker: serves /healthz and /metrics
  --host <host>      of worker: from where these can be reached; default 127.0.0.1: this machine alone

Files of sweep, resume and export
  --parquet, --csv, --ndjson, --summary, --plot <path>

A sweep that was interrupted goes on by resume, or by the same sweep command again. Exit code: 0 all is done,
1 something failed, 2 the command line is wrong, 3 the sweep is not done, 130 interrupted.

Example
  moreau-services sweep domino.mjs --grid gap=0.02:0.2:64 --random friction=0.1:0.9 --runs 100000 --csv rows.csv`
