const hasBase = document.querySelector('base') !== null;

/** The path of the service, with a trailing slash. */
export const BASE_PATH = hasBase ? new URL(document.baseURI).pathname : '/';

/** The base URL of the API, without a trailing slash. */
export const SERVICE_URL = `${window.location.origin}${BASE_PATH}`.replace(/\/$/, '');

/** Only the demo keeps the mail it sends. */
export const HAS_INBOX = document.querySelector('meta[name="inbox"]') !== null;
