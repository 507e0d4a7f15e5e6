# A supported LTS version of Node; the exact tag makes builds reproducible.
FROM node:24.22.3-bookworm-slim AS base
WORKDIR /app

# This layer changes only with the lock file. Optional packages are for other platforms, or TypeScript for a
# plugin of @nestjs/swagger, and are omitted.
FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --no-audit \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/create-empty-cluster.js scripts/
RUN node scripts/create-empty-cluster.js
COPY libs libs
COPY src src
RUN npx tsc -p tsconfig.build.json --incremental false --sourceMap false

FROM base AS service
# The service needs no package manager.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/np[mx] /usr/local/bin/yarn* /usr/local/bin/corepack
# The user "node" of the base image, as a number, so that Kubernetes can verify that it is not root.
USER 1000:1000
# A new volume inherits owner and mode of the folder at its mount point.
WORKDIR /home/node
RUN mkdir -m 0700 data
# TMPDIR: exports are written to temporary files, also where the root file system is read-only, and not to memory.
# NODE_OPTIONS: half of the memory would be too much for the heap, since the embedded database, bodies and the program
# need the rest. MALLOC_MMAP_THRESHOLD_: keeps glibc from raising it, so that large buffers are returned to the system.
ENV NODE_ENV=production \
    DATA_DIR=/home/node/data \
    TMPDIR=/home/node/data \
    NODE_OPTIONS=--max-old-space-size-percentage=30 \
    MALLOC_MMAP_THRESHOLD_=131072
VOLUME /home/node/data

# Owned by root, so that the service cannot change its own code.
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY fixtures/sample-household.json fixtures/
COPY docs/openapi.json docs/
COPY --from=build /app/empty-cluster empty-cluster
COPY --from=build /app/dist dist

EXPOSE 3000
# Liveness, not readiness: a database outage must not replace the container. The service listens after the
# migrations, so that healthy also means started.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Runs node directly, without npm or a shell, so that it receives signals and shuts down gracefully.
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]

ARG REVISION=unknown
LABEL org.opencontainers.image.title="expense-service" \
      org.opencontainers.image.description="Multi-currency personal expense planning REST API" \
      org.opencontainers.image.version="1.12.0" \
      org.opencontainers.image.revision="$REVISION"

# docker build --target sandbox: the service with a sample household in memory, for development and tests.
FROM service AS sandbox
ENV NODE_ENV=development \
    HOST=0.0.0.0
CMD ["node", "dist/src/operators/sandbox/main.js"]

# The last stage is built without --target.
FROM service
