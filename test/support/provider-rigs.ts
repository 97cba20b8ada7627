import type { Config } from '../../src/config/config.js';
import { SmtpRelays } from '../../src/platform/smtp/smtp-relays.js';
import type { SimulatedReports } from '../../src/providers/simulator/simulated-reports.js';
import { SimulatorProvider } from '../../src/providers/simulator/simulator-provider.js';
import type { ProviderPost } from '../../src/providers/index.js';
import { Simulator } from '../../src/providers/simulator/simulator.js';
import { SmtpEmailProvider } from '../../src/providers/smtp/smtp-email-provider.js';
import { SmtpReports } from '../../src/providers/smtp/smtp-reports.js';
import { SMTP_VENDORS, type SmtpVendor } from '../../src/shared/account-provider.js';
import { TransientDeliveryError } from '../../src/shared/delivery-error.js';
import { RecipientSuppressedError } from '../../src/shared/submission-check.js';
import { absent, type ProviderRig, type ReportSamples } from './provider-contract.js';
import { SECRET, CLOCK, SECRETS, EMAIL, settingsWith, contextWith, forge, closedPort } from './provider-rig-parts.js';
import { SmtpSink } from './smtp-sink.js';
import { KEYS, SIGN } from './vendor-posts.js';

export async function smtpRig(): Promise<ProviderRig> {
  const sink = await SmtpSink.start({ credentials: { username: 'shop', password: SECRET } });
  const relays = new SmtpRelays();
  const provider = new SmtpEmailProvider(relays, SECRETS, { smtpAllowPrivateNetworks: true } as Config);
  const unused = await closedPort();
  let password: string;
  let port: number;
  const connection = () =>
    provider.connect(
      settingsWith({
        smtp: {
          ...{ host: '127.0.0.1', port, secure: false, username: 'shop', allowPlaintext: false },
          ...{ sealedPassword: SECRETS.seal(password), vendor: 'generic', sealedEventSigningKey: null, maxSendRate: 5 },
        },
      }),
    )!;
  const answer = (stage: string, reply: Awaited<ReturnType<SmtpSink['answer']>>) => () => {
    sink.answer = (asked) => (asked === stage ? reply : undefined);
  };
  return {
    kind: 'smtp',
    provider: () => provider,
    waits: true,
    secrets: [SECRET, 'wrong password', ...Object.values(KEYS)],
    submit: (check) => provider.sendEmail(EMAIL, connection(), check),
    accepted: () => sink.received().length,
    behave: {
      'refuses for good': answer('rcpt', { code: 550, message: '5.7.1 No' }),
      'refuses for now': answer('rcpt', { code: 451, message: '4.7.1 Later' }),
      throttles: answer('mail', { code: 450, message: '4.7.1 Too many' }),
      'refuses the credentials': () => (password = 'wrong password'),
      'cannot be connected to': () => (port = unused),
      'is cut off before it has the message': answer('mail', 'drop'),
      'is cut off after it has the message': answer('data', 'drop'),
      'cannot be read after it has the message': absent('the code of the reply says whether it has it'),
    },
    // Replies of relays do not tell these apart; the Message-ID is the same in every attempt.
    errors: {
      throttles: TransientDeliveryError,
      'refuses the credentials': TransientDeliveryError,
      'is cut off after it has the message': TransientDeliveryError,
    },
    limit: () => provider.limitOf(connection(), 'a1'),
    findFault: () => provider.findFault(connection()),
    reports: SMTP_VENDORS.map(vendorSamples),
    reset: () => {
      sink.reset();
      [password, port] = [SECRET, sink.port];
    },
    stop: async () => {
      relays.onApplicationShutdown();
      await sink.stop();
    },
  };
}

/** A delivery in the format of each vendor. */
const DELIVERED: Record<SmtpVendor, object> = {
  generic: { id: 'e1', type: 'delivered', providerMessageId: 'm1', recipient: 'ada@example.org' },
  sendgrid: [{ event: 'delivered', email: 'ada@example.org', sg_event_id: 'e1', mid: EMAIL.id }],
  mailgun: { 'event-data': { event: 'delivered', recipient: 'ada@example.org', 'user-variables': { mid: EMAIL.id } } },
  postmark: { RecordType: 'Delivery', Recipient: 'ada@example.org', MessageID: 'm1' },
  resend: { type: 'email.delivered', data: { email_id: 'm1', to: ['ada@example.org'] } },
};

/** The proofs of these do not cover the body: a token, and the password of the webhook. */
const FORGED: Partial<Record<SmtpVendor, (post: ProviderPost) => ProviderPost>> = {
  mailgun: ({ headers, body }) => ({
    headers,
    body: Buffer.from(body.toString().replace(/"token":"../, '"token":"zz')),
  }),
  postmark: ({ body }) => ({ headers: { authorization: `Basic ${btoa('webhook:another password')}` }, body }),
};

function vendorSamples(vendor: SmtpVendor): ReportSamples {
  const { headers, body } = SIGN[vendor](DELIVERED[vendor]);
  const genuine = { headers, body: Buffer.from(body) };
  const smtp = {
    ...{ host: 'relay.example', port: 587, secure: false, username: null, sealedPassword: null, maxSendRate: null },
    ...{ vendor, sealedEventSigningKey: SECRETS.seal(KEYS[vendor]) },
  };
  return {
    ...{ reader: new SmtpReports(SECRETS), genuine, forged: (FORGED[vendor] ?? forge)(genuine), provider: vendor },
    context: contextWith({ smtp }),
  };
}

export function simulatorRig(): Promise<ProviderRig> {
  let accepted = 0;
  let recipient: string;
  const reports = { add: () => Promise.resolve(void (accepted += 1)) } as unknown as SimulatedReports;
  const provider = new SimulatorProvider(new Simulator(reports, CLOCK));
  const message = { id: 'c0123456789abcdefghijklmn', accountId: 'a1', channel: 'email', attempt: 1 } as const;
  const to = (localPart: string) => () => {
    recipient = `${localPart}@simulator.test`;
  };
  return Promise.resolve({
    kind: 'simulator',
    provider: () => provider,
    secrets: [],
    waits: absent('it accepts a message in the step after the check'),
    limit: absent('it has none'),
    findFault: absent('there is nothing to connect to'),
    reports: absent('what it reports is stored, and not posted'),
    submit: (check) => provider.simulate({ ...message, recipient, normalisedRecipient: recipient }, check),
    accepted: () => accepted,
    behave: {
      'refuses for good': to('failed'),
      'refuses for now': to('delayed'),
      throttles: to('suppressed'),
      'refuses the credentials': absent('it has no credentials'),
      'cannot be connected to': absent('there is nothing to connect to'),
      'is cut off before it has the message': absent('it has no connections'),
      'is cut off after it has the message': absent('it has no connections'),
      'cannot be read after it has the message': absent('it has no connections'),
    },
    errors: { throttles: RecipientSuppressedError },
    reset: () => {
      accepted = 0;
      to('ada')();
    },
    stop: () => Promise.resolve(),
  });
}
