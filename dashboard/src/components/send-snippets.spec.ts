import { describe, expect, it } from '@jest/globals';

import { type Example, sendSnippets } from './send-snippets';

const EXAMPLE: Example = {
  baseUrl: 'https://mail.example.com/delivery',
  secret: 'sk_secret',
  from: 'shop@example.com',
  to: 'ada@example.org',
  smtp: { host: 'smtp.example.com', port: 2587, tlsPort: 2465, startTls: true, username: 'apikey' },
};

/** The service addresses of the snippets that do not use the endpoint, by name of the snippet. */
const ADDRESSES: Readonly<Record<string, string>> = {
  SDK: `"${EXAMPLE.baseUrl}"`,
  SMTP: 'smtp://smtp.example.com:2587',
};

const codeOf = (name: string, example: Partial<Example> = {}) =>
  sendSnippets({ ...EXAMPLE, ...example }).find((snippet) => snippet.name === name)?.code ?? '';

describe('sendSnippets', () => {
  it('fills in the address, the key, the sender and the recipient', () => {
    for (const { name, code } of sendSnippets(EXAMPLE)) {
      for (const part of ['sk_secret', 'shop@example.com', 'ada@example.org'])
        expect({ name, has: code.includes(part) }).toEqual({ name, has: true });
      const { [name]: address = `${EXAMPLE.baseUrl}/api/send/transactional` } = ADDRESSES;
      expect(code).toContain(address);
    }
  });

  it('quotes what the shell and the languages would interpret', () => {
    const to = `o'brien"$x@example.org`;
    expect(codeOf('curl', { to })).toContain(String.raw`o'\''brien\"$x@example.org`);
    expect(codeOf('Python', { to })).toContain(String.raw`"o'brien\"$x@example.org"`);
  });

  it('uses TLS from the start where there is no STARTTLS, and leaves SMTP out where it is not offered', () => {
    const smtp = { host: 'smtp.example.com', port: null, tlsPort: 465, startTls: false, username: 'apikey' };
    expect(codeOf('SMTP', { smtp })).toContain('smtps://smtp.example.com:465');
    expect(codeOf('SMTP', { smtp })).toContain('--ssl-reqd');
    expect(sendSnippets({ ...EXAMPLE, smtp: null }).map(({ name }) => name)).toEqual([
      ...['curl', 'TypeScript', 'SDK', 'Python', 'Go'],
    ]);
  });

  it('requires STARTTLS only where it is offered', () => {
    const smtp = { host: 'smtp.example.com', port: 2587, tlsPort: null, startTls: false, username: 'apikey' };
    expect(codeOf('SMTP')).toContain('--ssl-reqd');
    expect(codeOf('SMTP', { smtp })).toContain("curl 'smtp://smtp.example.com:2587'");
  });
});
