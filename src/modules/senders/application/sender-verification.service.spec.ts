import { describe, expect, it } from '@jest/globals';

import { type EmailConnection, providerKeyOf, type Providers } from '../../../providers/index.js';
import type { ReleaseIdentity } from '../../domains/index.js';
import type { ProviderDirectory } from '../../provider-settings/index.js';
import { Sender } from '../domain/sender.js';
import type { SesVerificationRequests, VerificationMailer } from './ports/sender-verification.js';
import { SenderVerification } from './sender-verification.service.js';

const SES: EmailConnection = {
  ...{ kind: 'ses', configurationSet: null, tracking: 'off', settingsAt: new Date(0) },
  access: { region: 'eu-west-1', credentials: { accessKeyId: 'AKIA1', secretAccessKey: 's' } },
};

describe('SenderVerification', () => {
  it('deletes the new identity of a sender that was deleted meanwhile', async () => {
    const calls: string[] = [];
    const identities = {
      ...{ key: providerKeyOf(SES), label: 'SES', isShared: false },
      create: () => Promise.resolve(calls.push('create') && 'created'),
      delete: () => Promise.resolve(calls.push('delete')),
    };
    const sender = Object.assign(new Sender(), { id: 's', accountId: 'a', email: 'ada@example.com' });
    const service = new SenderVerification(
      { find: () => Promise.resolve(SES) } as unknown as ProviderDirectory,
      { email: () => ({ identitiesOf: () => identities }) } as unknown as Providers,
      {} as VerificationMailer,
      { recordIdentity: () => Promise.resolve(false) } as unknown as SesVerificationRequests,
      {} as ReleaseIdentity,
    );
    const request = service.request(await service.chooseRoute('a'), sender, 'token');
    await expect(request).rejects.toMatchObject({ kind: 'not_found' });
    expect(calls).toEqual(['create', 'delete']);
  });
});
