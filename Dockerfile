# Node's supported long-term line; the tag is exact, so that a build is the same tomorrow.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app

# A layer that changes with the lock file alone. Optional is what other platforms need, and TypeScript, which
# a plugin of @nestjs/swagger would use.
FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --no-audit

FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build

FROM base
# The user "node" of the base image, as a number: only so can Kubernetes tell that it is not root.
USER 1000:1000
# A new volume takes owner and mode from the folder that it covers.
WORKDIR /home/node
RUN mkdir -m 0700 data
ENV NODE_ENV=production \
    DATA_DIR=/home/node/data
VOLUME /home/node/data

# Root's, so that the service cannot change its own code.
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY fixtures/household.json fixtures/
COPY --from=build /app/dist dist

EXPOSE 3000
# Live, not ready: where an unhealthy container is replaced, an outage of the database must not replace it.
# The service listens once the migrations are done, so healthy also means that it has started.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Sent to the service itself, with no npm or shell in between; it then answers the requests under way and
# closes the database.
STOPSIGNAL SIGTERM
# 64 MB of young objects, which are then swept less often (docs/production.md).
CMD ["node", "--max-semi-space-size=64", "dist/src/main.js"]

ARG REVISION=unknown
LABEL org.opencontainers.image.title="expense-service" \
      org.opencontainers.image.description="Multi-currency personal expense planning REST API" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.revision="$REVISION"
