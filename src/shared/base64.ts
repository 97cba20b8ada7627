const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether the text is strict base64 (RFC 4648 §4): with padding, without line breaks. */
export const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);
