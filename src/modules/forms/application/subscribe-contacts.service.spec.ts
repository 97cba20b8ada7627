import { describe, expect, it } from '@jest/globals';

import type { NewConsent, RecordConsents } from '../../consent/index.js';
import type { ContactRepository, ListDirectory, WriteContacts } from '../../contacts/index.js';
import type { SuppressionList } from '../../suppression/index.js';
import type { OpenSignup } from './ports/signup.repository.js';
import { type Confirmation, SubscribeContacts } from './subscribe-contacts.service.js';

const EMAIL = 'ada@example.com';
const signup = {
  ...{ accountId: 'a1', formId: 'f1', email: EMAIL, normalisedEmail: EMAIL, wording: 'Yes', wordingVersion: 1 },
  ...{ firstName: null, lastName: null, company: null, ip: null, userAgent: null, createdAt: new Date(0) },
  form: { listIds: [], topicIds: [] },
} as unknown as OpenSignup;
const confirmation: Confirmation = { signup, ip: '192.0.2.1', userAgent: null, messageLogId: null };

describe('SubscribeContacts', () => {
  it('subscribes nobody who is erased meanwhile', async () => {
    const reasons: Map<string, string>[] = [new Map(), new Map([[EMAIL, 'erased']])];
    const recorded: NewConsent[] = [];
    const subscribe = new SubscribeContacts(
      { write: () => Promise.resolve(new Map()) } as unknown as WriteContacts,
      { findByEmails: () => Promise.resolve([]) } as unknown as ContactRepository,
      { findUnknown: () => Promise.resolve(new Set()) } as unknown as ListDirectory,
      { findReasons: () => Promise.resolve(reasons.shift()) } as unknown as SuppressionList,
      {
        record: (consents: NewConsent[]) => {
          recorded.push(...consents);
          return Promise.resolve([]);
        },
      } as unknown as RecordConsents,
      { add: () => Promise.resolve() },
    );
    expect(await subscribe.subscribe('a1', [confirmation], new Date())).toEqual([]);
    expect(recorded).toEqual([]);
  });
});
