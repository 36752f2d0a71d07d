# The bot as a non-root user, its data in one volume. Build: docker build -t bluffhouse .
# Run: docker run -d --name bluffhouse -e DISCORD_TOKEN=... -v bluffhouse-data:/data bluffhouse
FROM python:3.11-slim AS build
WORKDIR /build
# the locked requirements first, so that a change of the code does not install them anew
COPY requirements.lock ./
RUN python -m venv /opt/bluffhouse \
    && /opt/bluffhouse/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY engine ./engine
COPY bot ./bot
COPY migrations ./migrations
RUN /opt/bluffhouse/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
# joins the letters of Arabic and Indic names in pictures
RUN apt-get update && apt-get install -y --no-install-recommends libfribidi0 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin bluffhouse \
    && mkdir /data && chown bluffhouse:bluffhouse /data
COPY --from=build /opt/bluffhouse /opt/bluffhouse
ENV PATH=/opt/bluffhouse/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    BLUFFHOUSE_DATABASE__PATH=/data/bluffhouse.db \
    NUMBA_CACHE_DIR=/tmp/numba
USER bluffhouse
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["bluffhouse"]
CMD ["run"]
