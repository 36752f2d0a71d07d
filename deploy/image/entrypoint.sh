#!/bin/sh
# The kernels that the build compiled are copied to where numba may write beside them, as a read-only root takes
# nothing. Without such a place every start compiles them again, for about a minute and in the background.
if [ ! -e "$NUMBA_CACHE_DIR" ]; then
    cp -R /opt/bluffhouse/kernels "$NUMBA_CACHE_DIR" 2>/dev/null \
        || echo "bluffhouse: $NUMBA_CACHE_DIR takes no files; start the container with --tmpfs /tmp:size=256m" >&2
fi
exec bluffhouse "$@"
