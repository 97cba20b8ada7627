import { describe, expect, it } from '@jest/globals';

import { verificationSnippets } from './verification-snippets';

const HEADERS = {
  timestampHeader: 'X-Acme-Timestamp',
  signatureHeader: 'X-Acme-Signature',
  previousSignatureHeader: 'X-Acme-Signature-Previous',
};

type IsGenuine = (headers: Record<string, string>, rawBody: Uint8Array, secret: string) => boolean;

const bytes = (text: string) => new TextEncoder().encode(text);

async function sign(secret: string, timestamp: number, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytes(`${timestamp}.${body}`));
  return `v1=${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

describe('The snippets that verify a webhook', () => {
  it('name the headers of the installation', () => {
    for (const { code } of verificationSnippets(HEADERS))
      for (const name of Object.values(HEADERS)) expect(code.toLowerCase()).toContain(name.toLowerCase());
  });

  it('accept what is signed with either secret, and nothing else', async () => {
    const { code } = verificationSnippets(HEADERS).find(({ language }) => language === 'Node.js')!;
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: IsGenuine;
    };
    const body = '{"event":"contact.bounced"}';
    const now = Math.floor(Date.now() / 1_000);
    const genuine = (headers: Record<string, string>, content = body) => isGenuine(headers, bytes(content), 'whsec_a');
    const signed = async (secret: string, at = now) => ({
      'x-acme-timestamp': String(at),
      'x-acme-signature': await sign(secret, at, body),
    });
    expect(genuine(await signed('whsec_a'))).toBe(true);
    const rotated = { ...(await signed('whsec_b')), 'x-acme-signature-previous': await sign('whsec_a', now, body) };
    expect(genuine(rotated)).toBe(true);
    expect(genuine(await signed('whsec_b'))).toBe(false);
    expect(genuine(await signed('whsec_a'), '{}')).toBe(false);
    expect(genuine(await signed('whsec_a', now - 400))).toBe(false);
    expect(genuine({})).toBe(false);
  });
});
