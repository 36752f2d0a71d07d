# The bot as a user without rights on a read-only root, its data in one volume.
#   docker build -t bluffhouse .                           (with --build-arg LOCK=requirements-watching.lock
#                                                           it can also report to Sentry)
#   docker run -d --name bluffhouse --restart unless-stopped --read-only --cap-drop ALL \
#       --security-opt no-new-privileges --tmpfs /tmp:size=256m -e DISCORD_TOKEN -v bluffhouse-data:/data bluffhouse
# The base has no digest: each build takes Debian's newest, with its security updates. A release's provenance says which.
FROM debian:bookworm-slim AS base

FROM base AS build
RUN apt-get update && apt-get install -y --no-install-recommends binutils ca-certificates fonts-noto-cjk python3-venv
WORKDIR /build
# the locked requirements first, so that a change of the code does not install them again
ARG LOCK=requirements.lock
COPY ${LOCK} ./
RUN python3 -m venv /opt/bluffhouse \
    && /opt/bluffhouse/bin/pip install --no-cache-dir --no-compile --require-hashes -r ${LOCK}
COPY pyproject.toml setup.py README.md LICENSE ./
COPY bluffhouse ./bluffhouse
COPY engine ./engine
COPY bot ./bot
COPY migrations ./migrations
RUN /opt/bluffhouse/bin/pip install --no-cache-dir --no-compile --no-deps --no-build-isolation .
COPY deploy/image/slim.py ./
RUN python3 slim.py /opt/bluffhouse
# Compile the kernels once, for any processor of this kind. Numba knows them by their source's time, of which a
# layer keeps whole seconds: so every source gets the same time, older than any that a builder would set.
WORKDIR /opt/bluffhouse
ENV NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/opt/bluffhouse/kernels
RUN find . -name '*.py' -exec touch -d 2001-01-01T00:00:00Z {} + \
    && { bin/python -c "import bluffhouse; from bot.computing.warming import load_players; load_players()" & players=$!; \
        bin/python -c "import bluffhouse; from bot.computing.warming import load_kernels; load_kernels()" && wait $players; } \
    && tar -czf kernels.tar.gz kernels && rm -r kernels

FROM base
# libfribidi0 joins the letters of Arabic and Indic names in pictures
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libfribidi0 python3 tzdata \
    && rm -rf /var/lib/apt/lists/* /var/cache/*/*
RUN groupadd --gid 10001 bluffhouse \
    && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin bluffhouse \
    && install -d -o 10001 -g 10001 -m 700 /data
# Chinese, Japanese and Korean names in pictures: one of the package's four files, and its licence
COPY --from=build /usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc /usr/share/fonts/opentype/noto/
COPY --from=build /usr/share/doc/fonts-noto-cjk/copyright /usr/share/doc/fonts-noto-cjk/
COPY --from=build /opt/bluffhouse /opt/bluffhouse
COPY --chmod=755 deploy/image/entrypoint.sh deploy/image/ready.py /usr/local/bin/
# /readyz is asked only from inside: nothing listens on an address that others reach
ENV PATH=/opt/bluffhouse/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    BLUFFHOUSE_DATABASE__PATH=/data/bluffhouse.db \
    BLUFFHOUSE_BACKUPS__FOLDER=/data/backups \
    BLUFFHOUSE_SERVING__PORT=9418 \
    NUMBA_CPU_NAME=generic \
    NUMBA_CACHE_DIR=/tmp/kernels
USER 10001:10001
# without VOLUME, which Railway's builder refuses: whoever starts the image names a volume for /data
WORKDIR /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m CMD ["/opt/bluffhouse/bin/python", "-ISE", "/usr/local/bin/ready.py"]
ENTRYPOINT ["entrypoint.sh"]
CMD ["run"]
