import { describe, expect, it } from '@jest/globals';

import { Contact, type ContactRow } from './contact.js';

const CREATED = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');

const create = (row: Partial<ContactRow> = {}, status: Contact['status'] = 'active') =>
  Contact.create('c1', 'a1', { email: 'Ada@Example.com', ...row }, status, CREATED);

describe('Contact', () => {
  it('is identified by its normalised address', () => {
    expect(create({ email: ' Ada@BÜCHER.example ' })).toMatchObject({
      email: 'Ada@BÜCHER.example',
      normalisedEmail: 'ada@xn--bcher-kva.example',
    });
  });

  it('keeps absent fields, clears null fields and replaces sets', () => {
    const contact = create({ firstName: 'Ada', company: 'Engines', tags: ['b', 'a', 'b'], listIds: ['l1'] });
    expect(contact.change({ lastName: ' King ', company: null, tags: ['c'], listIds: null }, LATER)).toBe(true);
    expect(contact).toMatchObject({ firstName: 'Ada', lastName: 'King', company: null, tags: ['c'], listIds: [] });
    expect([contact.createdAt, contact.updatedAt]).toEqual([CREATED, LATER]);
  });

  it.each([
    [{}],
    [{ firstName: ' Ada ', lastName: '', company: null }],
    [{ attributes: { city: 'Bern', other: null } }],
    [{ tags: ['b', 'a', 'a'], listIds: ['l2', 'l1'] }],
    [{ status: 'active' as const }],
    [{ addToList: 'l1' }],
  ])('does not change when it is given its present values, %j', (fields) => {
    const attributes = { city: 'Bern', visits: 3 };
    const contact = create({ firstName: 'Ada', attributes, tags: ['a', 'b'], listIds: ['l1', 'l2'] });
    const before = { ...contact };
    expect(contact.change(fields, LATER)).toBe(false);
    expect({ ...contact }).toEqual(before);
  });

  it('keeps attributes that are absent, and removes those that are null', () => {
    const contact = create({ attributes: { city: 'Bern', visits: 3, none: null } });
    expect(contact.attributes).toEqual({ city: 'Bern', visits: 3 });
    expect(contact.change({ attributes: { visits: null, vip: true } }, LATER)).toBe(true);
    expect(contact.attributes).toEqual({ city: 'Bern', vip: true });
    expect(contact.change({ attributes: null }, LATER)).toBe(true);
    expect(contact.attributes).toBeNull();
  });

  it('cannot have more attributes than the limit, with those that it has', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));
    const contact = create({ attributes: many });
    expect(contact.faultOf({ attributes: { k0: 1 } })).toBeNull();
    expect(contact.faultOf({ attributes: { more: 1 } })).toBe('attributes would have 51 keys, more than 50');
    expect(contact.faultOf({ firstName: 'Ada' })).toBeNull();
  });

  it('is added to a list in addition to its lists', () => {
    const contact = create({ listIds: ['l2'], addToList: 'l1' });
    expect(contact.listIds).toEqual(['l1', 'l2']);
    contact.change({ listIds: ['l3'], addToList: 'l1' }, LATER);
    expect(contact.listIds).toEqual(['l1', 'l3']);
  });

  it('can be unsubscribed while it is active, but never activated', () => {
    expect(create({ status: 'unsubscribed' }).status).toBe('unsubscribed');
    expect(create({ status: 'unsubscribed' }, 'bounced').status).toBe('bounced');
    const contact = create({}, 'complained');
    expect(contact.change({ status: 'active' }, LATER)).toBe(false);
    expect(contact.change({ status: 'unsubscribed' }, LATER)).toBe(false);
    expect(contact.status).toBe('complained');
  });
});
