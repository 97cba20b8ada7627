const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Whether a client may choose the text as its idempotency key. */
export const isIdempotencyKey = (text: string): boolean => VISIBLE_ASCII.test(text);
