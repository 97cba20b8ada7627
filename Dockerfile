FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY dashboard/package.json ./dashboard/
COPY packages/sdk/package.json ./packages/sdk/
COPY packages/mcp/package.json ./packages/mcp/
RUN npm ci
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY scripts/bundle.mjs ./scripts/
COPY migrations ./migrations
COPY src ./src
COPY dashboard ./dashboard
RUN npm run build && npm prune --omit=dev --workspaces=false

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 3000
CMD ["node", "dist/main.js"]
