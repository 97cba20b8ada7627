/** The pure part of the module, which content threads load, too. */
export type { LinkSigning } from './domain/link-signing.js';
export { trackHtml } from './domain/track-html.js';
