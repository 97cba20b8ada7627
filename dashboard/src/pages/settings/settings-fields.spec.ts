import { describe, expect, it } from '@jest/globals';

import { isLost, read, type SecretField, SectionForm, type SettingsForm } from './settings-fields';

const text = (name: string, more: object = {}) => ({ name, kind: 'text' as const, label: name, ...more });
const RELAY: SettingsForm = {
  section: 'relay',
  fields: [
    text('host', { required: true }),
    text('username'),
    { name: 'rate', kind: 'number', label: 'Rate', min: 1, max: 9, isNullable: true },
    { name: 'port', kind: 'number', label: 'Port', min: 1, max: 9, initial: 5 },
    { name: 'secure', kind: 'switch', label: 'Secure' },
    { name: 'password', kind: 'secret', label: 'Password', keptFor: 'host', sentWith: ['host', 'username'] },
  ],
};
const SMS: SettingsForm[] = [
  { section: 'sms', choice: 'Provider', fields: [{ name: 'enabled', kind: 'switch', label: 'On', initial: true }] },
  {
    section: 'sms',
    provider: 'pigeon',
    title: 'Pigeon',
    reportsAccount: true,
    fields: [text('loft', { required: true })],
  },
  {
    ...{ section: 'sms', provider: 'raven', description: 'Through ravens', within: 'raven' },
    fields: [text('tower', { required: true }), { name: 'word', kind: 'secret', label: 'Word', sentWith: ['tower'] }],
  },
];

describe('The form of a section', () => {
  const form = new SectionForm([RELAY, ...SMS], 'relay');
  const stored = { host: 'a.example', username: null, rate: null, port: 2, secure: true, passwordSet: true };

  it('shows what is stored, and what the fields begin with', () => {
    const values = { username: '', rate: '', password: '' };
    expect(form.valuesOf(stored)).toEqual({ ...values, host: 'a.example', port: 2, secure: true });
    expect(form.valuesOf(null)).toEqual({ ...values, host: '', port: 5, secure: false });
  });

  it('sends what has changed, and all fields of new settings', () => {
    const initial = form.valuesOf(stored);
    expect(form.changeOf(initial, initial)).toEqual({});
    expect(form.changeOf({ ...initial, rate: '2', port: '', username: ' ada ' }, initial)).toEqual({
      ...{ rate: 2, username: 'ada' },
    });
    const empty = form.valuesOf(null);
    expect(form.changeOf({ ...empty, host: ' b.example ' }, empty)).toEqual({
      ...{ host: 'b.example', username: null, rate: null, port: 5, secure: false },
    });
  });

  it('sends a secret with what it was typed for, and this also if the stored secret is lost', () => {
    const initial = form.valuesOf(stored);
    expect(form.changeOf({ ...initial, password: 'x' }, initial)).toEqual({
      ...{ password: 'x', host: 'a.example', username: null },
    });
    expect(form.changeOf({ ...initial, host: 'b.example' }, initial)).toEqual({ host: 'b.example', username: null });
    const secret = RELAY.fields.at(-1) as SecretField;
    expect(isLost(secret, { host: ' A.example ' }, stored)).toBe(false);
    expect(isLost(secret, { host: 'a.example' }, { ...stored, host: 'A.example' })).toBe(false);
    expect(isLost(secret, { host: 'b.example' }, stored)).toBe(true);
    expect(isLost(secret, { host: '' }, null)).toBe(true);
  });

  it('offers a choice of providers only if there are several, and sends the fields of the chosen one', () => {
    const both = new SectionForm(SMS, 'sms');
    const namesFor = (of: SectionForm, values: object) => of.fieldsFor({ ...values }).map(({ name }) => name);
    expect(namesFor(new SectionForm(SMS.slice(0, 2), 'sms'), {})).toEqual(['enabled', 'loft']);
    const initial = both.valuesOf({ provider: 'pigeon', enabled: false, loft: 'west' });
    expect(namesFor(both, initial)).toEqual(['provider', 'enabled', 'loft']);
    expect(both.descriptionFor(initial)).toBeUndefined();
    expect(both.reportsAccount({ loft: 'west' })).toBe(true);
    expect(both.reportsAccount({ provider: 'raven' })).toBe(false);

    const chosen = { ...initial, provider: 'raven', 'raven/tower': 'north', 'raven/word': 'nevermore' };
    expect(namesFor(both, chosen)).toEqual(['provider', 'enabled', 'raven/tower', 'raven/word']);
    expect(both.descriptionFor(chosen)).toBe('Through ravens');
    expect(both.changeOf(chosen, initial)).toEqual({
      ...{ provider: 'raven', enabled: false, raven: { tower: 'north', word: 'nevermore' } },
    });

    const shown = { provider: 'raven', enabled: true, raven: { tower: 'north', wordSet: true } };
    const saved = both.valuesOf(shown);
    expect(saved).toMatchObject({ 'raven/tower': 'north', 'raven/word': '' });
    expect(read(shown, 'raven/wordSet')).toBe(true);
    expect(both.changeOf({ ...saved, 'raven/word': 'x' }, saved)).toEqual({ raven: { word: 'x', tower: 'north' } });
  });
});
