import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Message } from '../../api/types';
import overview from '../../texts/en/overview.json' with { type: 'json' };
import { loadEnglish } from '../../texts/load-english';
import { firstRunSteps, type SetUp, type StepName } from './first-run-steps';

const NOTHING: SetUp = {
  settings: {
    canSend: { email: false, sms: false },
    emailProvider: 'smtp',
    smtp: null,
    ses: null,
  } as unknown as SetUp['settings'],
  senders: [],
  domains: [],
  activeKeys: 0,
  newestMessage: null,
  webhooks: 0,
};

const step = (name: StepName, setUp: Partial<SetUp>) =>
  firstRunSteps({ ...NOTHING, ...setUp }).find((one) => one.name === name);
const message = (fields: Partial<Message>) => ({ newestMessage: { to: 'ada@example.org', ...fields } as Message });
const sender = (status: 'pending' | 'verified') =>
  [{ email: 'shop@example.com', status }] as unknown as SetUp['senders'];
const domain = (status: 'pending' | 'verified') => [{ name: 'example.com', status }] as unknown as SetUp['domains'];

describe('firstRunSteps', () => {
  beforeAll(() => loadEnglish({ overview }));

  it('begins with nothing done, also while it is being loaded', () => {
    const unknown = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, undefined])) as unknown as SetUp;
    for (const setUp of [NOTHING, unknown])
      expect(firstRunSteps(setUp).map(({ name, isDone }) => [name, isDone])).toEqual([
        ['provider', false],
        ['sender', false],
        ['key', false],
        ['message', false],
        ['webhook', false],
      ]);
  });

  it('names the provider', () => {
    const through = (settings: object) =>
      step('provider', { settings: { ...NOTHING.settings, canSend: { email: true }, ...settings } as never });
    expect(through({})).toMatchObject({ isDone: true, text: 'Email is sent through the relay of this installation.' });
    expect(through({ smtp: { host: 'smtp.example.com' } })?.text).toContain('your SMTP relay');
    expect(through({ emailProvider: 'ses', ses: { region: 'eu-central-1' } })?.text).toContain('your Amazon SES');
  });

  it('says what a sender or a domain is waiting for', () => {
    expect(step('sender', { senders: sender('pending') })).toMatchObject({
      isDone: false,
      text: 'Open the link in the email to shop@example.com to verify this sender.',
    });
    expect(step('sender', { domains: domain('pending') })?.text).toContain('DNS records of example.com');
    expect(step('sender', { senders: sender('pending'), domains: domain('verified') })).toMatchObject({
      isDone: true,
      text: 'You can send from example.com.',
    });
    expect(step('sender', { senders: sender('verified') })?.text).toBe('You can send from shop@example.com.');
  });

  it('is done with the first message once it has left, and says why it has not', () => {
    expect(step('message', message({ status: 'queued' }))).toMatchObject({ isDone: false });
    expect(step('message', message({ status: 'failed', error: '550 no' }))).toMatchObject({
      isDone: false,
      text: 'The message to ada@example.org could not be sent: 550 no',
    });
    for (const status of ['sent', 'delivered', 'bounced'] as const)
      expect(step('message', message({ status }))?.isDone).toBe(true);
  });
});
