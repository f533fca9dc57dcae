#!/bin/sh
# Builds the OCI image from Debian's packages and the packed tarballs, without pulling an image. As root on Debian, with
# mmdebstrap and umoci installed, and Node 24 and npm on the PATH; `npm run packages` first.
#
#     packaging/oci/build.sh OUT       # an OCI layout in the new folder OUT, with the tag latest
set -eu

out=${1:?"Usage: packaging/oci/build.sh OUT"}
root=$(cd "$(dirname "$0")/../.." && pwd)
packages="$root/dist/packages"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

umoci init --layout "$out"
umoci new --image "$out:latest"
umoci unpack --image "$out:latest" "$work/bundle"
rootfs="$work/bundle/rootfs"

mmdebstrap --variant=minbase --include=ca-certificates,libstdc++6 \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  bookworm "$work/debian.tar" >&2
tar -xf "$work/debian.tar" -C "$rootfs" --exclude='./dev/*'

npm install --prefix "$rootfs/opt/colophon" --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  "$packages"/*.tgz >&2
# The Node that builds is the image's; the compressed one that the packages bring along is for older ones.
rm -r "$rootfs/opt/colophon/node_modules/@colophon/node-"*
install -m 0755 "$(node -p process.execPath)" "$rootfs/usr/local/bin/node"
ln -s /opt/colophon/node_modules/.bin/colophon "$rootfs/usr/local/bin/colophon"
echo 'colophon:x:10001:10001::/var/lib/colophon:/usr/sbin/nologin' >>"$rootfs/etc/passwd"
echo 'colophon:x:10001:' >>"$rootfs/etc/group"
install -d -o 10001 -g 10001 -m 0700 "$rootfs/var/lib/colophon"

umoci repack --image "$out:latest" "$work/bundle"
umoci config --image "$out:latest" \
  --config.user 10001:10001 --config.workingdir /var/lib/colophon --config.volume /var/lib/colophon \
  --config.env PATH=/usr/local/bin:/usr/bin:/bin --config.env COLOPHON_HOST=0.0.0.0 \
  --config.env COLOPHON_DATA_DIR=/var/lib/colophon --config.exposedports 8400/tcp \
  --config.stopsignal SIGTERM --config.entrypoint colophon --config.cmd serve
umoci gc --layout "$out"
node "$root/tools/add-health-check.ts" "$out"
echo "$out:latest"
