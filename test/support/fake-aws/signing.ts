import { generateKeyPair, type KeyObject, type KeyPairKeyObjectResult, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

import { selfSignedCertificate } from './certificate.js';

const DAY_MS = 86_400_000;
const COMMON_NAME = 'sns.amazonaws.com';

/** The fields that are signed, in this order, for either kind of envelope. */
const SIGNED_OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const SIGNED_OF_CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** One for all of this test process: it takes 150 ms of CPU. */
let keyPair: Promise<KeyPairKeyObjectResult> | undefined;

/** One key with three certificates, of which one has expired and one is not valid yet. */
export class Signing {
  /** PEM by the path that it is served at. */
  readonly certificates: ReadonlyMap<string, string>;
  readonly currentPath = newPath();
  readonly expiredPath = newPath();
  readonly futurePath = newPath();

  private constructor(
    private readonly privateKey: KeyObject,
    publicKey: KeyObject,
  ) {
    const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
    const certificate = (from: number, to: number) =>
      selfSignedCertificate({ publicKey, privateKey }, COMMON_NAME, {
        notBefore: daysFromNow(from),
        notAfter: daysFromNow(to),
      });
    this.certificates = new Map([
      [this.currentPath, certificate(-1, 365)],
      [this.expiredPath, certificate(-365, -1)],
      [this.futurePath, certificate(1, 365)],
    ]);
  }

  static async create(): Promise<Signing> {
    keyPair ??= promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
    const { privateKey, publicKey } = await keyPair;
    return new Signing(privateKey, publicKey);
  }

  /** In base64. */
  sign(envelope: Readonly<Record<string, string>>, version: '1' | '2'): string {
    const names = envelope.Type === 'Notification' ? SIGNED_OF_NOTIFICATION : SIGNED_OF_CONFIRMATION;
    const present = names.filter((name) => envelope[name] !== undefined);
    const text = present.map((name) => `${name}\n${envelope[name]}\n`).join('');
    return sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), this.privateKey).toString('base64');
  }
}

const newPath = () => `/SimpleNotificationService-${randomBytes(16).toString('hex')}.pem`;
