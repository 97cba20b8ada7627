import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const MAIL = `From: ${SENDER}\r\nTo: ada@example.org\r\nSubject: Hi\r\n\r\nHello`;

describe('TLS of SMTP submission', () => {
  let fixture: SubmissionFixture;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
  });
  afterAll(() => fixture.stop());

  const openTls = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
    // OpenSSL refuses TLS 1.1 by itself unless it may.
    const secure = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
    const client = await SmtpClient.open(fixture.tlsPort, { secure });
    expect((await client.reply()).code).toBe(220);
    return client;
  };
  const openStartTls = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
    const client = await SmtpClient.open(fixture.port);
    await client.reply();
    await client.expect(250, 'EHLO client.example');
    await client.expect(220, 'STARTTLS');
    await client.upgrade({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
    return client;
  };

  it.each([
    ['TLS 1.2 on SMTPS_PORT', 'TLSv1.2', openTls],
    ['TLS 1.3 on SMTPS_PORT', 'TLSv1.3', openTls],
    ['TLS 1.2 by STARTTLS', 'TLSv1.2', openStartTls],
    ['TLS 1.3 by STARTTLS', 'TLSv1.3', openStartTls],
  ] as const)('accepts %s', async (_, version, open) => {
    const client = await open(version);
    expect(client.protocol).toBe(version);
    await client.expect(250, 'EHLO client.example');
    await client.expect(235, `AUTH PLAIN ${Buffer.from(`\0u\0${fixture.secret}`).toString('base64')}`);
    expect((await client.submit(SENDER, ['ada@example.org'], MAIL)).code).toBe(250);
    client.close();
  });

  it('refuses TLS 1.1', async () => {
    await expect(openTls('TLSv1.1')).rejects.toThrow();
    await expect(openStartTls('TLSv1.1')).rejects.toThrow();
  });

  it('presents a renewed certificate to new connections, and keeps the old one while the files do not match', async () => {
    const presented = async () => {
      const [direct, upgraded] = [await openTls('TLSv1.2'), await openStartTls('TLSv1.2')];
      const names = [direct.certificate, upgraded.certificate];
      direct.close();
      upgraded.close();
      return names.join();
    };
    expect(await presented()).toBe('first.example,first.example');
    fixture.certificate.renew('second.example');
    await waitFor('the new certificate', async () => (await presented()) === 'second.example,second.example');
  });
});
