import { describe, expect, it } from '@jest/globals';

import type { SmtpSettings } from '../../shared/account-settings.js';
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

describe('changeSmtp', () => {
  it('keeps absent fields', () => {
    expect(changeSmtp(stored, {}, seal)).toEqual(stored);
    expect(changeSmtp(stored, { port: 465, secure: true }, seal)).toEqual({ ...stored, port: 465, secure: true });
  });

  it('clears fields that are null', () => {
    expect(changeSmtp(stored, { username: null, password: null }, seal)).toEqual({
      ...stored,
      username: null,
      sealedPassword: null,
    });
  });

  it('seals a new password', () => {
    expect(changeSmtp(stored, { password: 'new' }, seal).sealedPassword).toBe('sealed new');
  });

  it('clears the stored password for another host', () => {
    expect(changeSmtp(stored, { host: 'smtp.example.net' }, seal).sealedPassword).toBeNull();
    expect(changeSmtp(stored, { host: 'smtp.example.net', password: 'new' }, seal).sealedPassword).toBe('sealed new');
  });

  it('clears the permission to send the password without TLS for another host', () => {
    const permitted = { ...stored, allowPlaintext: true };
    expect(changeSmtp(permitted, { port: 25 }, seal).allowPlaintext).toBe(true);
    expect(changeSmtp(permitted, { host: 'smtp.example.net', password: 'new' }, seal).allowPlaintext).toBe(false);
    expect(changeSmtp(stored, { host: 'smtp.example.net', allowPlaintext: true }, seal).allowPlaintext).toBe(true);
  });

  it('keeps the password for another spelling of the host', () => {
    expect(changeSmtp(stored, { host: 'SMTP.Example.com' }, seal)).toEqual(stored);
  });

  it('seals a new signing key, and clears the stored one for another vendor', () => {
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

  it('needs a host and a port for new settings, and has defaults for the rest', () => {
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

describe('isRelayHost', () => {
  it.each(['localhost', 'smtp.example.com', 'mail_relay', '127.0.0.1', '::1', '2001:db8::25', 'xn--bcher-kva.example'])(
    'accepts %s',
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
  ])('refuses %j', (host) => {
    expect(isRelayHost(host)).toBe(false);
  });
});
