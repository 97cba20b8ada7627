export const EMAIL_PROVIDERS = ['smtp', 'ses'] as const;
export type EmailProviderKind = (typeof EMAIL_PROVIDERS)[number];
export const DEFAULT_EMAIL_PROVIDER: EmailProviderKind = EMAIL_PROVIDERS[0];

/** Where opens and clicks are counted: by the service itself, by the provider, or not at all. */
export const TRACKING = ['native', 'provider', 'off'] as const;
export type Tracking = (typeof TRACKING)[number];

export const SMTP_VENDORS = ['generic', 'sendgrid', 'mailgun', 'postmark', 'resend'] as const;
export type SmtpVendor = (typeof SMTP_VENDORS)[number];
