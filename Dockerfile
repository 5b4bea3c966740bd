# The service, without the packages of tests. It runs on the Node of package.json, as the tests do.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --omit=dev --no-audit --no-fund

FROM node:24-trixie-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates curl git openssh-client \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json package-lock.json README.md ./
COPY docs docs
COPY src src
COPY activities activities
COPY workflows workflows
RUN install -d -o node -g node -m 0700 .cache /var/lib/agent-tasks
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  DATA_DIR=/var/lib/agent-tasks \
  NODE_COMPILE_CACHE=.cache/node \
  MALLOC_ARENA_MAX=2 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  PATH=/app/node_modules/.bin:$PATH
USER node
VOLUME /var/lib/agent-tasks
EXPOSE 3000
# for an API; docker-compose.yml asks workers at their own port
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["curl", "-fsS", "http://127.0.0.1:3000/healthz"]
CMD ["node", "src/main.ts"]
