import { type KeyObject, sign } from 'node:crypto';

const SHA256_WITH_RSA = '300d06092a864886f70d01010b0500';
const COMMON_NAME = '0603550403';

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface Validity {
  notBefore: Date;
  notAfter: Date;
}

/**
 * A self-signed X.509 certificate (version 1, RSA) in PEM: https://datatracker.ietf.org/doc/html/rfc5280#section-4.1
 */
export function selfSignedCertificate(keys: KeyPair, commonName: string, { notBefore, notAfter }: Validity): string {
  const algorithm = Buffer.from(SHA256_WITH_RSA, 'hex');
  const name = sequence(der(0x31, sequence(Buffer.from(COMMON_NAME, 'hex'), der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(generalizedTime(notBefore), generalizedTime(notAfter));
  const subjectKey = keys.publicKey.export({ type: 'spki', format: 'der' });
  const serialNumber = der(0x02, Buffer.from([1]));
  const body = sequence(serialNumber, algorithm, name, validity, name, subjectKey);
  const signature = sign('sha256', body, keys.privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Tag, length, value. */
function der(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  const prefix = length < 0x80 ? [] : [0x80 | bytes.length];
  return Buffer.concat([Buffer.from([tag, ...prefix, ...bytes]), value]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));

/** YYYYMMDDHHMMSSZ */
const generalizedTime = (date: Date) =>
  der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`));
