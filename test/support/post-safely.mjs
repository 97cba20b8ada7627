/**
 * A process of its own that posts to a name on this machine, for tests that trust a certificate: `node <this file>
 * <url>`.
 */
import { importTypeScript } from './import-typescript.mjs';

const { SafeWebhookClient } = await importTypeScript(
  '../../src/modules/webhooks/infrastructure/safe-webhook-client.ts',
);
const client = new SafeWebhookClient({ allowPrivate: true, lookup: () => Promise.resolve(['127.0.0.1']) });
const post = { url: process.argv[2], lane: 'test', headers: () => ({}), body: '{}', timeoutMs: 10_000 };
const outcome = await client.post(post).catch(({ reason, message }) => ({ reason, message }));
await client.onApplicationShutdown();
process.stdout.write(JSON.stringify(outcome));
