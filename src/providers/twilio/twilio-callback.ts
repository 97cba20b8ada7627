import { createHmac } from 'node:crypto';

import { isSame } from '../../platform/crypto/is-same.js';

const PATH = '/api/provider-events/twilio';
/** The parameter with the service's id of the message: a callback may come before the answer with Twilio's id. */
export const MESSAGE_PARAMETER = 'message';

/** The address to which Twilio reports the status of a message. */
export const callbackUrl = (baseUrl: string, accountId: string, messageId: string): string =>
  `${baseUrl}${PATH}/${accountId}?${MESSAGE_PARAMETER}=${messageId}`;

/** The forms of the address that Twilio may have signed besides the parameters: with or without the port. */
export function signedUrls(baseUrl: string, accountId: string, query: string): string[] {
  const { protocol, hostname, port, pathname } = new URL(`${baseUrl}${PATH}/${accountId}`);
  const hosts = [hostname, `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`];
  const rest = query === '' ? pathname : `${pathname}?${query}`;
  return hosts.map((host) => `${protocol}//${host}${rest}`);
}

/**
 * The signature of the address and the parameters of a post:
 * https://www.twilio.com/docs/usage/security#validating-requests. Parameters with the same name count once for each
 * value, in order, as in Twilio's own libraries.
 */
export function signatureOf(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  const values = (name: string) => [...new Set(form.getAll(name))].sort().map((value) => name + value);
  return createHmac('sha1', authToken)
    .update(url + names.flatMap(values).join(''))
    .digest('base64');
}

export const isSignedBy = (
  authToken: string,
  urls: readonly string[],
  form: URLSearchParams,
  signature: string,
): boolean => urls.some((url) => isSame(signature, signatureOf(authToken, url, form)));
