/** The names of the providers of SMS in the settings. */
export const SMS_PROVIDERS = ['sns', 'twilio'] as const;
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

/** The provider of settings that name none. */
export const DEFAULT_SMS_PROVIDER: SmsProviderName = 'sns';
