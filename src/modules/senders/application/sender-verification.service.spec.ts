import { beforeEach, describe, expect, it } from '@jest/globals';

import { type EmailConnection, providerKeyOf, type Providers } from '../../../providers/index.js';
import type { AwsAccess } from '../../../shared/aws-access.js';
import type { ProviderKey } from '../../../shared/provider-key.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import type { ReleaseIdentity } from '../../domains/index.js';
import type { ProviderDirectory } from '../../provider-settings/index.js';
import { Sender } from '../domain/sender.js';
import type { SesVerificationRequests } from './ports/sender-verification.js';
import { SenderVerification } from './sender-verification.service.js';

const SES_KEY = 'ses:eu-west-1:AKIA1';
const ACCESS: AwsAccess = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIA1', secretAccessKey: 's' } };
const relay = (host: string) => ({ host, port: 587, username: 'acme' }) as SmtpRelay;
const smtp = (owner: 'account' | 'installation', host: string): EmailConnection => ({
  ...{ kind: 'smtp', owner, relay: relay(host), vendor: 'generic' },
  ...{ maxSendRate: null, tracking: 'off', settingsAt: new Date(0) },
});
const ses = (access = ACCESS): EmailConnection => ({
  ...{ kind: 'ses', access, configurationSet: null },
  ...{ tracking: 'off', settingsAt: new Date(0) },
});

/** SES with at most one identity. */
class FakeSes {
  identity: { isVerified: boolean } | null = null;
  mails = 0;

  create(): Promise<'created' | 'exists'> {
    if (this.identity) return Promise.resolve('exists');
    this.identity = { isVerified: false };
    this.mails += 1;
    return Promise.resolve('created');
  }

  find() {
    return Promise.resolve(this.identity);
  }

  delete(): Promise<void> {
    this.identity = null;
    return Promise.resolve();
  }
}

describe('SenderVerification', () => {
  let provider: EmailConnection | null;
  let installationRelay: SmtpRelay | null;
  let sesApi: FakeSes;
  let mailed: (SmtpRelay | null)[];
  let isRequestedByOthers: boolean;
  let isDeleted: boolean;
  let sender: Sender;
  let service: SenderVerification;

  beforeEach(() => {
    [provider, installationRelay, isRequestedByOthers, isDeleted] = [null, null, false, false];
    sesApi = new FakeSes();
    mailed = [];
    sender = Object.assign(new Sender(), { id: 's', accountId: 'a', email: 'ada@example.com', identityCreatedIn: [] });
    const directory = {
      find: () => Promise.resolve(provider),
      get installationRelay() {
        return installationRelay;
      },
    };
    service = new SenderVerification(
      directory as unknown as ProviderDirectory,
      { email: capabilitiesOf } as unknown as Providers,
      {
        mail: (through) => {
          mailed.push(through);
          return Promise.resolve();
        },
      },
      {
        isRequestedByOthers: () => Promise.resolve(isRequestedByOthers),
        recordIdentity: (_: string, __: string, key: ProviderKey) => {
          sender.identityCreatedIn.push(key);
          return Promise.resolve(!isDeleted);
        },
      } satisfies SesVerificationRequests,
      {} as ReleaseIdentity,
    );
  });

  const capabilitiesOf = (connection: EmailConnection) =>
    connection.kind === 'ses'
      ? {
          identitiesOf: () =>
            Object.assign(sesApi, {
              ...{ key: providerKeyOf(connection), label: 'SES', isShared: connection.access.credentials === null },
            }),
        }
      : { relayOf: ({ relay }: { relay: SmtpRelay }) => relay };
  const request = async () => service.request(await service.chooseRoute('a'), sender, 'token');

  it('sends the link only through the relay of the installation if there is one', async () => {
    installationRelay = relay('relay.example.net');
    for (const current of [smtp('account', 'smtp.example.com'), smtp('installation', 'relay.example.net'), null]) {
      provider = current;
      expect(await service.chooseRoute('a')).toMatchObject({
        ...{ verificationProvider: 'installation', providerKey: 'smtp' },
        through: { relay: installationRelay },
      });
    }
    expect(await request()).toBe('requested');
    expect(mailed).toEqual([installationRelay]);
  });

  it('records the relay of the account if it sends the link', async () => {
    provider = smtp('account', 'smtp.example.com');
    expect(await service.chooseRoute('a')).toMatchObject({
      ...{ verificationProvider: 'smtp:smtp.example.com:587:acme', providerKey: 'smtp' },
      through: { relay: relay('smtp.example.com') },
    });
  });

  it('makes SES mail its link for an account that uses SES', async () => {
    [provider, installationRelay] = [ses(), relay('relay.example.net')];
    expect(await service.chooseRoute('a')).toMatchObject({ verificationProvider: SES_KEY, providerKey: SES_KEY });
    expect(await request()).toBe('requested');
    expect({ mails: sesApi.mails, createdIn: sender.identityCreatedIn, mailed }).toEqual({
      ...{ mails: 1, createdIn: [SES_KEY], mailed: [] },
    });
  });

  it('creates its own unverified identity again, so that SES mails again', async () => {
    provider = ses();
    await request();
    expect(await request()).toBe('requested');
    expect(sesApi.mails).toBe(2);
  });

  it('is verified at once if SES has the address verified', async () => {
    provider = ses();
    sesApi.identity = { isVerified: true };
    expect(await request()).toBe('verified');
  });

  it('refuses an unverified identity that it did not create', async () => {
    provider = ses();
    sesApi.identity = { isVerified: false };
    await expect(request()).rejects.toMatchObject({ kind: 'conflict' });
    expect(sesApi.identity).not.toBeNull();
  });

  it.each([
    ['another account has requested', ses(), true],
    ['accounts share through the credentials of the process', ses({ ...ACCESS, credentials: null }), false],
  ])('refuses a verified identity that %s', async (_, current, byOthers) => {
    [provider, isRequestedByOthers] = [current, byOthers];
    sesApi.identity = { isVerified: true };
    await expect(request()).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('deletes the new identity of a sender that was deleted meanwhile', async () => {
    [provider, isDeleted] = [ses(), true];
    await expect(request()).rejects.toMatchObject({ kind: 'not_found' });
    expect(sesApi.identity).toBeNull();
  });

  it('finds a confirmation only in the SES account that mailed the link', async () => {
    provider = ses();
    sesApi.identity = { isVerified: false };
    sender.providerKey = SES_KEY;
    expect(await service.findConfirmation(sender)).toBeNull();
    sesApi.identity = { isVerified: true };
    expect(await service.findConfirmation(sender)).toBe(SES_KEY);
    sender.providerKey = 'ses:us-east-1:AKIA1';
    expect(await service.findConfirmation(sender)).toBeNull();
    [provider, sender.providerKey] = [smtp('account', 'smtp.example.com'), 'smtp'];
    expect(await service.findConfirmation(sender)).toBeNull();
  });
});
