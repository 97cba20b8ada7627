import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

import type { SmtpVendor } from '../../src/shared/account-provider.js';

/** A signed post of a vendor. */
export interface VendorPost {
  body: string;
  headers: Record<string, string>;
}

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000));
const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding);

const sendgrid = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const resendSecret = randomBytes(24);

/** The signing keys in the account's settings. */
export const KEYS: Record<SmtpVendor, string> = {
  generic: 'a secret of the relay',
  sendgrid: sendgrid.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  mailgun: 'a signing key of Mailgun',
  postmark: 'webhook:a password: with a colon',
  resend: `whsec_${resendSecret.toString('base64')}`,
};

/** Signs like the vendor: SendGrid ends its body with a line break, Mailgun puts the signature into it. */
export const SIGN: Record<SmtpVendor, (event: object, at?: Date) => VendorPost> = {
  generic: (event, at = new Date()) => {
    const body = JSON.stringify(event);
    const signature = hmac(KEYS.generic, `${seconds(at)}.${body}`, 'hex');
    return { body, headers: { 'x-signature': `t=${seconds(at)},v1=${signature}` } };
  },
  sendgrid: (event, at = new Date()) => {
    const body = `${JSON.stringify(event)}\r\n`;
    const signature = sign('sha256', Buffer.from(seconds(at) + body), sendgrid.privateKey).toString('base64');
    const name = 'x-twilio-email-event-webhook';
    return { body, headers: { [`${name}-signature`]: signature, [`${name}-timestamp`]: seconds(at) } };
  },
  mailgun: (event, at = new Date()) => {
    const [timestamp, token] = [seconds(at), randomBytes(25).toString('hex')];
    const signature = { timestamp, token, signature: hmac(KEYS.mailgun, timestamp + token, 'hex') };
    return { body: JSON.stringify({ ...event, signature }), headers: {} };
  },
  postmark: (event) => ({
    body: JSON.stringify(event),
    headers: { authorization: `Basic ${Buffer.from(KEYS.postmark).toString('base64')}` },
  }),
  resend: (event, at = new Date()) => {
    const [body, id] = [JSON.stringify(event), `msg_${randomBytes(12).toString('hex')}`];
    const signature = `v1,${hmac(resendSecret, `${id}.${seconds(at)}.${body}`, 'base64')}`;
    return {
      body,
      headers: { 'svix-id': id, 'svix-timestamp': seconds(at), 'svix-signature': `${signature} v1,AAAA` },
    };
  },
};
