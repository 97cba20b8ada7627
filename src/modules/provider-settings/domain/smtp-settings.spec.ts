import { describe, expect, it } from '@jest/globals';

import type { SmtpSettings } from '../../../shared/account-settings.js';
import { changeSmtp, isRelayHost } from './smtp-settings.js';

const seal = (plain: string) => `sealed ${plain}`;
const stored: SmtpSettings = {
  host: 'smtp.example.com',
  port: 587,
  secure: false,
  username: 'ada',
  sealedPassword: 'sealed secret',
  allowPlaintext: false,
  vendor: 'generic',
  sealedEventSigningKey: 'sealed key of the vendor',
  maxSendRate: null,
};

describe('changing the SMTP settings', () => {
  it('keeps what the change leaves out', () => {
    expect(changeSmtp(stored, {}, seal)).toEqual(stored);
    expect(changeSmtp(stored, { port: 465, secure: true }, seal)).toEqual({ ...stored, port: 465, secure: true });
  });

  it('clears what the change sets to null', () => {
    expect(changeSmtp(stored, { username: null, password: null }, seal)).toEqual({
      ...stored,
      username: null,
      sealedPassword: null,
    });
  });

  it('seals a new password', () => {
    expect(changeSmtp(stored, { password: 'new' }, seal).sealedPassword).toBe('sealed new');
  });

  it('takes the stored password to no other host', () => {
    expect(changeSmtp(stored, { host: 'smtp.example.net' }, seal).sealedPassword).toBeNull();
    expect(changeSmtp(stored, { host: 'smtp.example.net', password: 'new' }, seal).sealedPassword).toBe('sealed new');
  });

  it('takes the permission to send it without TLS to no other host either', () => {
    const permitted = { ...stored, allowPlaintext: true };
    expect(changeSmtp(permitted, { port: 25 }, seal).allowPlaintext).toBe(true);
    expect(changeSmtp(permitted, { host: 'smtp.example.net', password: 'new' }, seal).allowPlaintext).toBe(false);
    expect(changeSmtp(stored, { host: 'smtp.example.net', allowPlaintext: true }, seal).allowPlaintext).toBe(true);
  });

  it('keeps the password for another spelling of the host', () => {
    expect(changeSmtp(stored, { host: 'SMTP.Example.com' }, seal)).toEqual(stored);
  });

  it('seals a new signing key, and takes the stored one to no other vendor', () => {
    const secret = 'a secret of the vendor';
    expect(changeSmtp(stored, { eventSigningKey: secret }, seal).sealedEventSigningKey).toBe(`sealed ${secret}`);
    expect(changeSmtp(stored, { eventSigningKey: null }, seal).sealedEventSigningKey).toBeNull();
    expect(changeSmtp(stored, { vendor: 'mailgun' }, seal).sealedEventSigningKey).toBeNull();
    expect(changeSmtp(stored, { vendor: 'mailgun', eventSigningKey: secret }, seal)).toMatchObject({
      vendor: 'mailgun',
      sealedEventSigningKey: `sealed ${secret}`,
    });
  });

  it.each([
    ['sendgrid', 'not a key at all'],
    ['postmark', 'no password'],
    ['resend', 'whsec_no base64'],
  ] as const)('refuses a signing key with which nothing of %s could be verified: %s', (vendor, eventSigningKey) => {
    expect(() => changeSmtp(stored, { vendor, eventSigningKey }, seal)).toThrow(/^smtp\.eventSigningKey must /);
  });

  it('needs a host and a port at first, and assumes the rest', () => {
    expect(() => changeSmtp(null, { port: 25 }, seal)).toThrow('smtp.host is required');
    expect(() => changeSmtp(null, { host: 'relay' }, seal)).toThrow('smtp.port is required');
    expect(changeSmtp(null, { host: 'relay', port: 25 }, seal)).toEqual({
      host: 'relay',
      port: 25,
      secure: false,
      username: null,
      sealedPassword: null,
      allowPlaintext: false,
      vendor: 'generic',
      sealedEventSigningKey: null,
      maxSendRate: null,
    });
  });
});

describe('the host of a relay', () => {
  it.each(['localhost', 'smtp.example.com', 'mail_relay', '127.0.0.1', '::1', '2001:db8::25', 'xn--bcher-kva.example'])(
    'can be %s',
    (host) => {
      expect(isRelayHost(host)).toBe(true);
    },
  );

  it.each([
    '',
    'smtp://example.com',
    'example.com:25',
    'user@example.com',
    'example.com/x',
    '[::1]',
    'fe80::1%eth0',
    '1.2.3',
    '0x7f.1',
    '0x7f000001',
    '-a.example',
    'a..example',
    'example.com.',
    'example .com',
    'example.com\r\nRSET',
    `${'a'.repeat(64)}.example`,
    Array.from({ length: 64 }, () => 'abcd').join('.'),
  ])('cannot be %j', (host) => {
    expect(isRelayHost(host)).toBe(false);
  });
});
