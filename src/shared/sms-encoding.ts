/** How the characters of an SMS are written: the 7-bit alphabet of GSM 03.38, or two bytes each. */
export const SMS_ENCODINGS = ['gsm7', 'ucs2'] as const;
export type SmsEncoding = (typeof SMS_ENCODINGS)[number];
