import { describe, expect, it } from '@jest/globals';

import type { NewConsent, RecordConsents } from '../../consent/index.js';
import type { ContactRepository, WriteContacts } from '../../contacts/index.js';
import type { SuppressionList } from '../../suppression/index.js';
import type { FormTargets } from './form-targets.service.js';
import type { OpenSignup } from './ports/signup.repository.js';
import { type Confirmation, SubscribeContacts } from './subscribe-contacts.service.js';

const EMAIL = 'ada@example.com';
const signup = {
  ...{ accountId: 'a1', formId: 'f1', email: EMAIL, normalisedEmail: EMAIL, wording: 'Yes', wordingVersion: 1 },
  ...{ firstName: null, lastName: null, company: null, ip: null, userAgent: null, createdAt: new Date(0) },
  form: { listIds: [], topicIds: null },
} as unknown as OpenSignup;
const confirmation: Confirmation = { signup, ip: '192.0.2.1', userAgent: null, messageLogId: null };

const NOBODY = new Map<string, string>();

/** `suppressed`: who is suppressed, each time that it is asked. */
function subscribing(contacts: object[], suppressed: Map<string, string>[]) {
  const recorded: NewConsent[] = [];
  const record = (consents: NewConsent[]) => {
    recorded.push(...consents);
    return Promise.resolve([]);
  };
  const service = new SubscribeContacts(
    { write: () => Promise.resolve(new Map()) } as unknown as WriteContacts,
    { findByEmails: () => Promise.resolve(contacts) } as unknown as ContactRepository,
    { leaveOutDeletedLists: () => Promise.resolve() } as unknown as FormTargets,
    { findReasons: () => Promise.resolve(suppressed.shift()) } as unknown as SuppressionList,
    { record } as unknown as RecordConsents,
    { add: () => Promise.resolve() },
  );
  return { recorded, subscribe: () => service.subscribe('a1', [confirmation], new Date()) };
}

describe('SubscribeContacts', () => {
  it('subscribes nobody who is erased meanwhile', async () => {
    const { recorded, subscribe } = subscribing([], [NOBODY, new Map([[EMAIL, 'erased']])]);
    expect(await subscribe()).toEqual([]);
    expect(recorded).toEqual([]);
  });

  it('subscribes nobody who is suppressed before the contact is locked', async () => {
    const contact = { id: 'c1', normalisedEmail: EMAIL, status: 'unsubscribed' };
    const { recorded, subscribe } = subscribing([contact], [NOBODY, new Map([[EMAIL, 'unsubscribed']])]);
    expect(await subscribe()).toEqual([]);
    expect(recorded).toEqual([]);
  });
});
