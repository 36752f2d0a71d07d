#!/bin/sh
# The kernels that the build compiled are unpacked to where numba may write beside them, as a read-only root takes
# nothing. Without such a place every start compiles them again, for about a minute and in the background.
if [ ! -e "$NUMBA_CACHE_DIR" ]; then
    { mkdir -p "$NUMBA_CACHE_DIR" && tar -xzf /opt/bluffhouse/kernels.tar.gz -C "$NUMBA_CACHE_DIR" --strip-components=1
    } 2>/dev/null \
        || echo "bluffhouse: $NUMBA_CACHE_DIR takes no files; start the container with --tmpfs /tmp:size=256m" >&2
fi
exec bluffhouse "$@"
