import { describe, expect, it } from '@jest/globals';

import { SubmissionListener } from '../../../src/modules/submission/smtp/submission-listener.js';
import type { Scope } from '../../../src/shared/permissions.js';
import { TestService } from '../../support/service.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { TestCertificate } from '../../support/submission-fixture.js';

describe('How to connect for SMTP submission', () => {
  /** What a new key says, and what the port offers. */
  const access = async (variables: Record<string, string>, scopes: Scope[] = ['send']) => {
    const service = await TestService.start({ HOST: '127.0.0.1', SMTP_PORT: '0', ...variables });
    try {
      const account = await service.createAccount();
      const { body } = await account.asAdmin('post', '/api/api-keys').send({ name: 'Key', scopes }).expect(201);
      const port = service.app.get(SubmissionListener, { strict: false }).portOf('starttls')!;
      const client = await SmtpClient.open(port);
      await client.reply();
      const { text } = await client.expect(250, 'EHLO client.example');
      client.close();
      return { said: body.smtp, offersStartTls: text.includes('STARTTLS') };
    } finally {
      await service.stop();
    }
  };

  it('is said with each new key: by STARTTLS where there is a certificate', async () => {
    const certificate = new TestCertificate('mail.example');
    try {
      const variables = { SMTP_TLS_CERT: certificate.cert, SMTP_TLS_KEY: certificate.key };
      const said = { host: 'localhost', port: 0, tlsPort: null, startTls: true, username: 'apikey' };
      expect(await access(variables)).toEqual({ said, offersStartTls: true });
      expect(await access(variables, ['read_events'])).toEqual({ said: undefined, offersStartTls: true });
    } finally {
      certificate.remove();
    }
  });

  it('is said by a process that does not listen, with the ports at which clients reach others', async () => {
    const service = await TestService.start({ SMTP_PUBLIC_PORT: '587', SMTPS_PUBLIC_PORT: '465' });
    try {
      const account = await service.createAccount();
      const { body } = await account.asAdmin('post', '/api/api-keys').send({ name: 'Key', scopes: ['send'] });
      expect(body.smtp).toEqual({ host: 'localhost', port: 587, tlsPort: 465, startTls: true, username: 'apikey' });
      expect(service.app.get(SubmissionListener, { strict: false }).portOf('starttls')).toBeNull();
    } finally {
      await service.stop();
    }
  });

  it('is said to be without TLS where there is none', async () => {
    const { said, offersStartTls } = await access({ SMTP_ALLOW_PLAINTEXT_AUTH: 'true' });
    expect(said).toMatchObject({ port: 0, tlsPort: null, startTls: false });
    expect(offersStartTls).toBe(false);
  });
});
