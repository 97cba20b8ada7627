import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { DeliveryClient } from './index.js';

interface Document {
  paths: Record<string, Record<string, { operationId: string; security?: Record<string, unknown>[] }>>;
}

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as Document;

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, security = [] }]) => ({
    request: `${method.toUpperCase()} ${path}`,
    operationId,
    takesKey: security.some((scheme) => 'apiKey' in scheme),
  })),
);

const ID = 'c0mk3v9p0x7f2k9d1q8z5w4ab';
const EMAIL = { to: 'ada@example.org', fromEmail: 'you@example.com', subject: 'Hello', text: 'Hello' };
const SMS = { to: '+14155550100', body: 'Hello' };

/** A call of every method, by the operation that it should request. */
const CALLS: Record<string, (client: DeliveryClient) => unknown> = {
  'emails.send sendEmail': ({ emails }) => emails.send(EMAIL),
  'emails.sendBatch sendEmailBatch': ({ emails }) => emails.sendBatch([EMAIL]),
  'sms.send sendSms': ({ sms }) => sms.send(SMS),
  'sms.sendBatch sendSmsBatch': ({ sms }) => sms.sendBatch([SMS]),
  'sms.preview previewSms': ({ sms }) => sms.preview('Hello'),
  'messages.list listMessages': ({ messages }) => messages.list().next(),
  'messages.page listMessages': ({ messages }) => messages.page(),
  'messages.events listMessageEvents': ({ messages }) => messages.events().next(),
  'messages.eventPage listMessageEvents': ({ messages }) => messages.eventPage(),
  'messages.get getMessage': ({ messages }) => messages.get(ID),
  'messages.export exportMessages': ({ messages }) => messages.export(),
  'messages.aggregate aggregateMessages': ({ messages }) => messages.aggregate(),
  'messages.cancel cancelMessage': ({ messages }) => messages.cancel(ID),
  'messages.cancelMany cancelMessages': ({ messages }) => messages.cancelMany([ID]),
  'messages.reschedule rescheduleMessage': ({ messages }) => messages.reschedule(ID, new Date()),
  'contacts.list listContacts': ({ contacts }) => contacts.list().next(),
  'contacts.page listContacts': ({ contacts }) => contacts.page(),
  'contacts.get getContact': ({ contacts }) => contacts.get(ID),
  'contacts.upsert upsertContact': ({ contacts }) => contacts.upsert({ email: 'ada@example.org' }),
  'contacts.update updateContact': ({ contacts }) => contacts.update(ID, { company: null }),
  'contacts.delete deleteContact': ({ contacts }) => contacts.delete(ID),
  'contacts.import importContacts': ({ contacts }) => contacts.import([{ email: 'ada@example.org' }]),
  'contacts.export exportContacts': ({ contacts }) => contacts.export(),
  'consents.record recordConsent': ({ consents }) => consents.record({ email: 'ada@example.org', action: 'granted' }),
  'consents.standing getStandingConsents': ({ consents }) => consents.standing({ email: 'ada@example.org' }),
  'consents.list listConsents': ({ consents }) => consents.list().next(),
  'consents.page listConsents': ({ consents }) => consents.page(),
  'consents.get getConsent': ({ consents }) => consents.get(ID),
  'lists.list listLists': ({ lists }) => lists.list().next(),
  'lists.page listLists': ({ lists }) => lists.page(),
  'lists.create createList': ({ lists }) => lists.create('Readers'),
  'lists.rename renameList': ({ lists }) => lists.rename(ID, 'Readers'),
  'lists.delete deleteList': ({ lists }) => lists.delete(ID),
  'topics.list listTopics': ({ topics }) => topics.list().next(),
  'topics.page listTopics': ({ topics }) => topics.page(),
  'suppressions.list listSuppressions': ({ suppressions }) => suppressions.list().next(),
  'suppressions.page listSuppressions': ({ suppressions }) => suppressions.page({ address: 'ada@example.org' }),
};

/** The operation of openapi.json that the call requests. */
async function operationOf(call: (client: DeliveryClient) => unknown): Promise<string | undefined> {
  const requests: string[] = [];
  const client = new DeliveryClient({
    apiKey: 'sk_secret',
    baseUrl: 'https://mail.example.com',
    fetch: (url, { method }) => {
      requests.push(`${method ?? ''} ${new URL(url).pathname.replace(ID, '{id}')}`);
      return Promise.resolve(new Response(JSON.stringify({ items: [{}], nextCursor: null, totalPages: 1 })));
    },
  });
  await call(client);
  expect(requests).toHaveLength(1);
  return operations.find(({ request }) => request === requests[0])?.operationId;
}

describe('the client', () => {
  it.each(Object.entries(CALLS))('calls with %s', async (name, call) => {
    expect(await operationOf(call)).toBe(name.split(' ')[1]);
  });

  it('has a method for every operation that a key may call, and none for others', () => {
    const called = new Set(Object.keys(CALLS).map((name) => name.split(' ')[1]));
    const callable = operations.filter(({ takesKey }) => takesKey).map(({ operationId }) => operationId);
    expect(callable.length).toBeGreaterThan(20);
    expect([...called].sort()).toEqual([...callable].sort());
  });

  it('has no method that is not checked here', () => {
    const client = new DeliveryClient({ apiKey: 'sk_secret', baseUrl: 'https://mail.example.com' });
    const methods = Object.entries(client as unknown as Record<string, object>).flatMap(([name, resource]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
        .filter((method) => method !== 'constructor')
        .map((method) => `${name}.${method}`),
    );
    expect(methods.sort()).toEqual(
      Object.keys(CALLS)
        .map((name) => name.split(' ')[0])
        .sort(),
    );
  });
});
