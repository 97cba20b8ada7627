FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json LICENSE* ./
COPY dashboard/package.json ./dashboard/
COPY packages/sdk/package.json ./packages/sdk/
COPY packages/mcp/package.json ./packages/mcp/
RUN npm ci
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY scripts/bundle.mjs ./scripts/
COPY migrations ./migrations
COPY packages/embedded-postgres ./packages/embedded-postgres
COPY src ./src
COPY dashboard ./dashboard
RUN npm run build && npm prune --omit=dev --workspaces=false && mkdir .data

FROM node:24.21.0-trixie-slim
LABEL org.opencontainers.image.title="Opt-in delivery" \
      org.opencontainers.image.description="Self-hosted opt-in e-mail and SMS delivery service"
ENV NODE_ENV=production
# Workers listen, too, so that they answer the health check.
ENV PORT=3000
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE* ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Only an embedded PostgreSQL and a generated secret are written here. All else can be read-only.
COPY --from=build --chown=node:node /app/.data ./.data
USER node
EXPOSE 3000
HEALTHCHECK --start-period=60s --interval=30s --timeout=10s CMD ["node", "dist/main.js", "health"]
CMD ["node", "dist/main.js"]
