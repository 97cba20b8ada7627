import { setNonce } from 'get-nonce';

/** The nonce that the page's policy lets style sheets in with. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// For the sheet that keeps the page behind a dialog from scrolling.
setNonce(styleNonce);
