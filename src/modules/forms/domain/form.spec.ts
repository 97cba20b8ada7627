import { describe, expect, it } from '@jest/globals';

import { Form, parseOrigin, type FormPlan } from './form.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');
const PLAN: FormPlan = {
  ...{ name: 'News', listIds: [], topicIds: [], fields: [], wording: 'I want news.', fromEmail: 'a@example.com' },
  ...{ fromName: null, confirmationSubject: 'Confirm', confirmationTemplateId: null, welcomeTemplateId: null },
  ...{ redirectUrl: null, confirmedUrl: null, allowedOrigins: [], challenge: 'altcha', status: 'active' },
};

describe('Form', () => {
  it('counts a version for each change of the wording, and for no other change', () => {
    const form = Form.create('c1', 'a1', PLAN, NOW);
    form.change({ name: 'Other', wording: PLAN.wording }, LATER);
    expect(form).toMatchObject({ name: 'Other', wordingVersion: 1, createdAt: NOW, updatedAt: LATER });
    form.change({ wording: 'I want offers.' }, LATER);
    form.change({ wording: PLAN.wording }, LATER);
    expect(form).toMatchObject({ wording: PLAN.wording, wordingVersion: 3 });
  });
});

describe('parseOrigin', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://Example.com:443/', 'https://example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('reads %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });

  it.each([
    'https://example.com/path',
    'https://u:p@example.com',
    'https://example.com/?',
    'ftp://example.com',
    '*',
    'null',
    '',
  ])('refuses %p', (text) => {
    expect(parseOrigin(text)).toBeNull();
  });
});
