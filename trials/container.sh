#!/bin/bash
# The OCI image started by crun as packaging/compose/compose.yaml describes it, with no engine and no network: PostgreSQL, the service and Prometheus in a network of
# their own, the service as its user, without capabilities, on a read-only root. From nothing to a match; then the database is stopped until the health check fails and the
# alert fires, and started again. Without COMPOSE the service is alone, on its embedded database. Every line begins with the seconds since the start.
#
#     npm run packages && packaging/oci/build.sh IMAGE && [COMPOSE=1] trials/container.sh IMAGE
#
# As root; Debian: apt-get install crun umoci iproute2 curl postgresql-15 prometheus.
set -euo pipefail
[ "${IN_NAMESPACE:-}" ] || IN_NAMESPACE=1 exec unshare --mount bash "$0" "$@"
mount -t cgroup2 none /sys/fs/cgroup # crun knows no machine with both kinds of control groups

image=${1:?"Usage: [COMPOSE=1] trials/container.sh IMAGE"}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
name=colophon-trial-$$
bin=/usr/lib/postgresql/15/bin
inside=(ip netns exec "$name")
base=http://127.0.0.1:8400
password=$(openssl rand -hex 24) admin=$(openssl rand -hex 24) key=$(openssl rand -base64 32)
began=$(date +%s%N)
say() { printf '%7.1f s  %s\n' "$((($(date +%s%N) - began) / 100000000))e-1" "$*"; }
database() { "${inside[@]}" su postgres -c "$bin/pg_ctl -D $work/pg -o '-k $work -c listen_addresses=127.0.0.1' -l $work/pg.log $*" >"$work/pg_ctl.log"; }
health() { crun exec --user 10001:10001 "$name" node -e "fetch('$base/ready').then(({ ok }) => process.exit(ok ? 0 : 1))"; }
call() { "${inside[@]}" curl -sS -H "authorization: Bearer $1" "${@:2}"; }
until_it_is() { # SECONDS COMMAND...
  local deadline=$((SECONDS + $1))
  until "${@:2}"; do [ $SECONDS -lt $deadline ] || { say "never: ${*:2}"; tail "$work/service.log"; exit 1; }; sleep 0.5; done
}
ready() { "${inside[@]}" curl -fs "$base/ready" >"$work/ready" 2>&1; }
prometheus_says() { "${inside[@]}" curl -s "http://127.0.0.1:9090/api/v1/$1" | grep -q "$2"; }
leave() {
  crun delete --force "$name" 2>/dev/null || true
  [ ! -f "$work/pg/postmaster.pid" ] || database -m immediate stop || true
  for job in $(jobs -p); do kill "$job" 2>/dev/null || true; done
  ip netns del "$name"
  rm -rf "$work"
}
ip netns add "$name"
trap leave EXIT
"${inside[@]}" ip link set lo up
chmod 0711 "$work"

umoci unpack --image "$image:latest" "$work/bundle" >"$work/umoci.log" 2>&1
install -d -o 10001 -g 10001 -m 0700 "$work/volume"
echo '127.0.0.1 localhost database' >"$work/hosts"
settings=(COLOPHON_ADMIN_TOKEN="$admin")
if [ "${COMPOSE:-}" ]; then
  echo "$password" >"$work/password"
  chown postgres "$work/password"
  install -d -o postgres -m 0700 "$work/pg"
  chown postgres "$work"
  su postgres -c "$bin/initdb -D $work/pg -A scram-sha-256 -U colophon --pwfile=$work/password" >"$work/initdb.log"
  database -w start
  PGPASSWORD=$password "${inside[@]}" psql -qh 127.0.0.1 -U colophon postgres -c 'create database colophon'
  settings+=("COLOPHON_DATABASE_URL=postgresql://colophon:$password@database/colophon"
    "COLOPHON_KEY_ENCRYPTION_KEY=$key" COLOPHON_METRICS=127.0.0.1:9464)
  say "the database"
fi
python3 - "$work" "$name" "${settings[@]}" <<'PYTHON'
import json, sys
work, name, *settings = sys.argv[1:]
path = f"{work}/bundle/config.json"
with open(path) as file:
    config = json.load(file)
bind = lambda source, target, mode: {"destination": target, "type": "bind", "source": f"{work}/{source}", "options": ["bind", mode]}
process, linux = config["process"], config["linux"]
process["terminal"], process["noNewPrivileges"] = False, True
process["capabilities"] = {}
process["rlimits"] = [{"type": "RLIMIT_CORE", "hard": 0, "soft": 0}]
process["env"] += settings
config["root"]["readonly"] = True
config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] not in ("/var/lib/colophon", "/sys/fs/cgroup")]
config["mounts"] += [
    bind("volume", "/var/lib/colophon", "rw"),
    bind("hosts", "/etc/hosts", "ro"),
    {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev"]},
]
linux.pop("resources", None)
linux["namespaces"] = [kind for kind in linux["namespaces"] if kind["type"] != "network"]
linux["namespaces"].append({"type": "network", "path": f"/var/run/netns/{name}"})
with open(path, "w") as file:
    json.dump(config, file)
PYTHON
crun --cgroup-manager=disabled run --bundle "$work/bundle" "$name" >"$work/service.log" 2>&1 &
service=$!
until_it_is 120 ready
process=$(crun list | awk -v name="$name" '$1 == name { print $2 }')
say "ready, as user $(awk '/^Uid/ { print $2 }' "/proc/$process/status") with capabilities $(awk '/^CapEff/ { print $2 }' "/proc/$process/status")"

id() { grep -oE '[0-9a-f]{8}-[0-9a-f-]{27}' | head -n 1; }
json='content-type: application/json'
account=$(call "$admin" -H "$json" -d '{"registrations":10,"lookups":10}' "$base/admin/accounts" | id)
token=$(call "$admin" -H "$json" -d '{}' "$base/admin/accounts/$account/tokens" | grep -oE 'clp_[A-Za-z0-9_-]+')
samples=$root/packages/server/samples
call "$token" -f -o "$work/answer" -F "image=@$samples/harbour.jpg" "$base/registrations"
call "$token" -F "image=@$samples/harbour-crop.jpg" "$base/lookup" | grep -q '"matched":true'
say "registered, and its crop matched"
health
say "the health check is content"
if [ "${COMPOSE:-}" ]; then
  "${inside[@]}" prometheus --config.file="$root/packaging/prometheus/prometheus.yml" --storage.tsdb.path="$work/prometheus" \
    --web.listen-address=127.0.0.1:9090 >"$work/prometheus.log" 2>&1 &
  until_it_is 60 prometheus_says 'query?query=up' '"1"'
  say "Prometheus scrapes it"
  database -m immediate stop
  while health; do sleep 1; done
  say "database stopped: the health check fails"
  # As the container's health check goes on asking.
  firing() { health && return 1; sleep 5; prometheus_says alerts '"state":"firing"'; }
  until_it_is 180 firing
  say "the alert fires"
  database -w start
  until_it_is 60 health
  say "ready again"
else
  crun exec --user 10001:10001 "$name" colophon fsck --packets --signatures
fi
crun kill "$name" TERM
wait $service
say "stopped, status 0"
