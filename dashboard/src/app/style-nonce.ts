import { setNonce } from 'get-nonce';

/** The nonce of the page's Content-Security-Policy, required for style sheets. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Used by the style sheet that stops the page behind a dialog from scrolling.
setNonce(styleNonce);
