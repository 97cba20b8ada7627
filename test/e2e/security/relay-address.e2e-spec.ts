import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const BANNER = 'SSH-2.0-OpenSSH_9.6 internal-host';
const REFUSED =
  'The SMTP relay has a private, loopback or otherwise reserved address, which needs SMTP_ALLOW_PRIVATE_NETWORKS=true';
const NOT_SMTP = 'The SMTP relay does not answer as an SMTP server does';

/** Something that is no relay; it greets like an SSH server. */
class Listener {
  readonly connections: Socket[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections.push(socket);
      socket.on('error', () => undefined);
      socket.write(`${BANNER}\r\n`);
    });
  }

  static async start(): Promise<Listener> {
    const server = createServer().listen(0, '::');
    await once(server, 'listening');
    return new Listener(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

let service: TestService;
let account: TestAccount;
let listener: Listener;
let number = 0;

const useRelay = (smtp: object) => account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
const addSender = () => account.asAdmin('post', '/api/senders').send({ email: `ada${(number += 1)}@example.com` });
const providerError = (detail: string) => errorBody(500, `Provider error: ${detail}`);

/** Sends a message from a verified domain, and returns why its first attempt failed. */
async function failureOfMessage(): Promise<string> {
  const { secret } = await account.createKey();
  const name = `${account.id}.example.com`;
  await account.addDomain(name, { dkim: 'verified', spf: 'verified', mailFrom: 'verified' });
  const id = await sendEmail(service, secret, { fromEmail: `shop@${name}`, text: 'Hello' });
  const find = 'SELECT error FROM message_logs WHERE id = $1 AND error IS NOT NULL';
  const [row] = await waitFor('the first attempt', async () => {
    const rows = await service.query<{ error: string }>(find, [id]);
    return rows.length > 0 && rows;
  });
  return row!.error;
}

describe('A relay where private networks are not allowed', () => {
  let fixture: RelayFixture;

  beforeAll(async () => {
    fixture = await RelayFixture.start({ SMTP_ALLOW_PRIVATE_NETWORKS: 'false' });
    ({ service } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    listener = await Listener.start();
    account = await service.createAccount();
  });
  afterEach(() => listener.stop());

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1'])(
    'is not connected to at %s',
    async (host) => {
      await useRelay({ host, port: listener.port });
      expect(await failureOfMessage()).toBe(REFUSED);
      expect(listener.connections).toEqual([]);
    },
  );

  it('may be the installation’s at any address', async () => {
    await addSender().expect(201);
    expect(fixture.relay.received()).toHaveLength(1);
  });
});

describe('A relay of an account in an installation without one', () => {
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    listener = await Listener.start();
    account = await service.createAccount();
  });
  afterEach(() => listener.stop());

  it('shows nothing of what another kind of server says', async () => {
    await useRelay({ host: '127.0.0.1', port: listener.port });
    await addSender().expect(500, providerError(NOT_SMTP));
    expect(await failureOfMessage()).toBe(NOT_SMTP);
    expect(listener.connections.length).toBeGreaterThan(0);
  });

  it('shows nothing of a certificate that cannot be trusted', async () => {
    const relay = await SmtpSink.start({ startTls: true });
    await useRelay({ host: '127.0.0.1', port: relay.port });
    const { body } = await addSender().expect(500);
    expect(body.message).toMatch(/^Provider error: The TLS handshake with the SMTP relay failed \([A-Z_]+\)$/);
    await relay.stop();
  });
});

describe('The password of a relay that offers no TLS', () => {
  const credentials = { username: 'acme', password: 'secret' };
  const NO_TLS =
    'The SMTP relay does not offer TLS, and the password is not sent without it unless smtp.allowPlaintext is set';
  let relay: SmtpSink;

  beforeAll(async () => {
    service = await TestService.start();
    relay = await SmtpSink.start({ credentials, host: addressOfThisMachine() });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await service.createAccount();
  });

  it('is not sent to another machine', async () => {
    await useRelay({ host: relay.host, port: relay.port, ...credentials });
    await addSender().expect(500, providerError(NO_TLS));
    expect(await failureOfMessage()).toBe(NO_TLS);
    expect(relay.logins).toEqual([]);
    expect(await service.query(`SELECT FROM message_logs WHERE status <> 'queued'`)).toEqual([]);
  });

  it('is sent where the account allows it', async () => {
    await useRelay({ host: relay.host, port: relay.port, ...credentials, allowPlaintext: true });
    await addSender().expect(201);
    expect(relay.logins).toEqual(['acme']);
    const { body } = await account.asAdmin('get', '/api/settings').expect(200);
    expect(body.smtp).toMatchObject({ allowPlaintext: true });
  });

  it('is sent over loopback', async () => {
    const local = await SmtpSink.start({ credentials });
    await useRelay({ host: 'localhost', port: local.port, ...credentials });
    await addSender().expect(201);
    expect(local.logins).toEqual(['acme']);
    await local.stop();
  });

  it('is not asked for by a relay without a login', async () => {
    const open = await SmtpSink.start({ host: relay.host });
    await useRelay({ host: open.host, port: open.port });
    await addSender().expect(201);
    await open.stop();
  });
});

/** One that is not a loopback address. */
function addressOfThisMachine(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const found = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
  if (!found) throw new Error('This test needs a network interface other than loopback');
  return found.address;
}
