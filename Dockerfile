# docker build -t backdesk .            docs/OPERATIONS.md says how to run it.

# The same image for both stages, so that what was installed fits what runs it. Debian, since the PostgreSQL that comes as
# a package needs glibc.
FROM node:26.10.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
# The image brings Node along, so the one that comes as a package is left out again.
RUN npm ci --omit=dev --no-audit \
 && rm -rf node_modules/node node_modules/node-bin-* node_modules/.bin/node \
 && npm cache clean --force

FROM node:26.10.0-bookworm-slim
LABEL org.opencontainers.image.title="Backdesk" \
      org.opencontainers.image.description="The back office of travel agencies as a JSON API." \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY lib ./lib
COPY packages ./packages
COPY src ./src
COPY demo ./demo
COPY migrations ./migrations
COPY reference ./reference
COPY samples ./samples
COPY docs ./docs
# Where a cell keeps its own PostgreSQL, its secret and its files; with DATABASE_URL and STORAGE_URL it has
# uploads while they are received, and nothing stays in it.
RUN install -d -o node -g node -m 0750 /data
USER node
VOLUME /data
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    STOP_GRACE_S=5
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process lives. Balancers ask /ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/backdesk.js"]
CMD ["serve"]
