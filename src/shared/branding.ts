import { parseUrl } from './parse-url.js';

/** The look of an account's public pages, besides its name. */
export interface Branding {
  /** An https URL for which `isLogoUrl` holds. */
  logoUrl: string | null;
  /** `#rrggbb`. */
  color: string | null;
}

export const MAX_LOGO_URL_LENGTH = 2_000;
/** The color of the dashboard, for accounts without one. */
export const DEFAULT_BRAND_COLOR = '#3b5bdb';

export const BRAND_COLOR = /^#[0-9a-f]{6}$/i;

/**
 * Whether the text is the address of an image over https. A policy for exactly this image can be written only if its
 * path does not end with a slash: such a path would stand for all below it.
 */
export function isLogoUrl(text: string): boolean {
  const url = parseUrl(text);
  return (
    url?.protocol === 'https:' &&
    text.length <= MAX_LOGO_URL_LENGTH &&
    url.username + url.password === '' &&
    !url.pathname.endsWith('/')
  );
}

/** The image as a source of a Content-Security-Policy, which has no query and separates by `;` and `,`. */
export function logoSource(logoUrl: string): string {
  const { origin, pathname } = new URL(logoUrl);
  return `${origin}${pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')}`;
}
