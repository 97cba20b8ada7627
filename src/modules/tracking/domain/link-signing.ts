import { createHmac } from 'node:crypto';

/** The parts of the signed URLs of an installation. Can be cloned. */
export interface LinkSigning {
  key: Uint8Array;
  /** The URL of redirects, without a slash at the end. */
  redirects: string;
  /** The prefixes of the URLs of the service's own redirects and unsubscribe pages. */
  own: readonly string[];
  /** The prefix of the URLs by which people confirm that they want mail. */
  confirmations: string;
}

/** The URL that redirects to the target. */
export const clickUrl = ({ key, redirects }: LinkSigning, messageId: string, target: string): string =>
  `${redirects}/${messageId}?u=${encode(target)}&s=${signatureOf(key, ['click', messageId, target])}`;

/** The URL of the pixel. */
export const openUrl = ({ key, redirects }: LinkSigning, messageId: string): string =>
  `${redirects}/${messageId}/open.gif?s=${signatureOf(key, ['open', messageId])}`;

/** Whether a link leads to the service's own redirects or unsubscribe pages. */
export const isOwn = ({ own }: LinkSigning, url: URL): boolean => own.some((address) => url.href.startsWith(address));

export const signatureOf = (key: Uint8Array, parts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');

/** Also encodes quotes and brackets, where mail clients that detect links in text may end the link. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
