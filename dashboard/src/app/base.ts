const hasBase = document.querySelector('base') !== null;

/** The path that the service is reached under, with a slash at its end. */
export const BASE_PATH = hasBase ? new URL(document.baseURI).pathname : '/';

/** The address of the service, without a slash at its end. */
export const SERVICE = `${window.location.origin}${BASE_PATH}`.replace(/\/$/, '');

/** Only a demo keeps the mail that it sends. */
export const HAS_INBOX = document.querySelector('meta[name="inbox"]') !== null;
