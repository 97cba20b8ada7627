import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import type { PostContext, ProviderPost } from '../../src/providers/index.js';
import type { StoredSettings } from '../../src/shared/account-settings.js';
import { UnknownOutcomeError } from '../../src/shared/delivery-error.js';

export const SECRET = 'a secret that nobody may see';
const NOW = new Date();
export const CLOCK = { now: () => new Date(), catchUp: () => Promise.resolve() };
/** Seals by a prefix. */
export const SECRETS = {
  seal: (plain: string) => `sealed ${plain}`,
  open: (sealed: string) => sealed.slice(7),
};
const RAW = Buffer.from('From: shop@example.com\r\nTo: ada@example.org\r\nSubject: Hello\r\n\r\nHello\r\n');
export const EMAIL = {
  ...{ id: 'c0123456789abcdefghijklmn', accountId: 'a1', isBulk: false },
  mail: { from: 'shop@example.com', to: 'ada@example.org', messageId: 'm1@example.com', raw: RAW },
};
export const SMS = { id: EMAIL.id, accountId: 'a1', recipient: '+14155550100', sender: '+12065550100', text: 'Hello' };

export const settingsWith = (changes: Partial<StoredSettings>): StoredSettings => ({
  ...{
    emailProvider: 'smtp',
    smtp: null,
    ses: null,
    sms: null,
    tracking: 'off',
    trackingConsent: 'not_required',
    updatedAt: NOW,
  },
  ...changes,
});
export const contextWith = (changes: Partial<StoredSettings>): PostContext => ({
  ...{ accountId: 'a1', settings: settingsWith(changes), now: new Date() },
});
export const forge = ({ headers, body }: ProviderPost): ProviderPost => ({
  headers,
  body: Buffer.from(
    body
      .toString()
      .replace(/(ada|recipient)@/, 'eve@')
      .replace('+14155550100', '+14155550199'),
  ),
});

/** Ends every connection as soon as something has come over it. */
export async function startCutting(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
export const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A port that nothing listens on. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Clients do not say how much of a request has left. */
export const UNKNOWN_IF_CUT = { 'is cut off before it has the message': UnknownOutcomeError };
