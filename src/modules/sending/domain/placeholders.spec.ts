import { describe, expect, it } from '@jest/globals';

import { samplePlaceholders, usedPlaceholders, withPlaceholders } from './placeholders.js';

describe('Placeholders', () => {
  const contact = { email: 'a@x.example', firstName: 'Ada', 'attributes.city': 'Bern', 'attributes.vip': false };

  it('become variables, attributes as fields of one', () => {
    expect(withPlaceholders({ month: 'May', firstName: 'friend' }, contact)).toEqual({
      ...{ month: 'May', email: 'a@x.example', firstName: 'Ada' },
      attributes: { city: 'Bern', vip: false },
    });
  });

  it('take precedence over variables, which stand in for what is not known', () => {
    const variables = { attributes: { city: 'nowhere', team: 'red' } };
    expect(withPlaceholders(variables, contact).attributes).toEqual({ city: 'Bern', vip: false, team: 'red' });
    expect(withPlaceholders(variables, { email: 'b@x.example' }).attributes).toEqual(variables.attributes);
    expect(withPlaceholders({ attributes: ['x'] }, contact).attributes).toEqual({ city: 'Bern', vip: false });
    expect(withPlaceholders(variables, { 'attributes.city': '', firstName: '' })).toEqual(variables);
    expect(withPlaceholders(null, {})).toEqual({});
  });

  it('are kept as far as a content uses them and they are not empty', () => {
    expect(usedPlaceholders(new Set(['firstName', 'attributes.vip']), { ...contact, lastName: '' })).toEqual({
      ...{ firstName: 'Ada', 'attributes.vip': false },
    });
    expect(usedPlaceholders(new Set(['attributes', 'city']), contact)).toEqual({
      ...{ 'attributes.city': 'Bern', 'attributes.vip': false },
    });
    expect(usedPlaceholders(new Set(['lastName']), { ...contact, lastName: '' })).toEqual({});
  });

  it('have samples for all names of a content', () => {
    expect(samplePlaceholders(['email', 'month', 'attributes.city', 'attributes'])).toEqual({
      ...{ firstName: 'First', lastName: 'Last', company: 'Company' },
      ...{ 'attributes.city': 'Value', 'attributes.any': 'Value' },
    });
  });
});
