import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTransport, type SendMailOptions } from 'nodemailer';

import { SubmissionListener } from '../../src/modules/submission/smtp/submission-listener.js';
import { selfSignedCertificate } from './fake-aws/certificate.js';
import { RelayFixture, SENDER, type SendingAccount } from './relay-fixture.js';
import { SmtpClient } from './smtp-client.js';
import type { SmtpSink } from './smtp-sink.js';
import type { TestService } from './service.js';

const VALIDITY = { notBefore: new Date('2020-01-01'), notAfter: new Date('2049-01-01') };

/** A certificate and its key, in files. */
export class TestCertificate {
  private readonly directory = mkdtempSync(join(tmpdir(), 'smtp-tls-'));
  readonly cert = join(this.directory, 'cert.pem');
  readonly key = join(this.directory, 'key.pem');

  constructor(commonName: string) {
    this.renew(commonName);
  }

  renew(commonName: string): void {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(this.key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(this.cert, selfSignedCertificate(keys, commonName, VALIDITY));
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}

/** The service with both ports of SMTP submission, and the relay that it delivers to. */
export class SubmissionFixture {
  private constructor(
    private readonly fixture: RelayFixture,
    readonly certificate: TestCertificate,
    /** An account with a verified sender, and its key. */
    readonly sender: SendingAccount,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<SubmissionFixture> {
    const certificate = new TestCertificate('first.example');
    const fixture = await RelayFixture.start({
      ...{ SMTP_PORT: '0', SMTPS_PORT: '0', SMTP_TLS_CERT: certificate.cert, SMTP_TLS_KEY: certificate.key },
      ...{ SMTP_ALLOW_PLAINTEXT_AUTH: 'true', HOST: '127.0.0.1', ...variables },
    });
    return new SubmissionFixture(fixture, certificate, await fixture.open());
  }

  get service(): TestService {
    return this.fixture.service;
  }

  get relay(): SmtpSink {
    return this.fixture.relay;
  }

  get secret(): string {
    return this.sender.key.secret;
  }

  get port(): number {
    return this.listener.portOf('starttls')!;
  }

  get tlsPort(): number {
    return this.listener.portOf('tls')!;
  }

  open: RelayFixture['open'] = (wanted) => this.fixture.open(wanted);

  login(options?: Parameters<typeof SmtpClient.login>[2]): Promise<SmtpClient> {
    return SmtpClient.login(this.port, this.secret, options);
  }

  /** Submits a mail from the verified sender with nodemailer, over STARTTLS; the id of the first message. */
  async submit(mail: SendMailOptions): Promise<string> {
    const transport = createTransport({
      ...{ host: '127.0.0.1', port: this.port, requireTLS: true, tls: { rejectUnauthorized: false } },
      auth: { user: 'anybody', pass: this.secret },
    });
    try {
      const { response } = await transport.sendMail({ from: SENDER, subject: 'Hello', ...mail });
      return idIn(response);
    } finally {
      transport.close();
    }
  }

  async stop(): Promise<void> {
    await this.fixture.stop();
    this.certificate.remove();
  }

  private get listener(): SubmissionListener {
    return this.service.app.get(SubmissionListener, { strict: false });
  }
}

/** The id in the reply to a mail. */
export const idIn = (reply: string): string => {
  const id = /Queued as (c[a-z0-9]{24})$/.exec(reply)?.[1];
  if (id === undefined) throw new Error(`Not queued: ${reply}`);
  return id;
};
