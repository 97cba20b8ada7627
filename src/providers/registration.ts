import type { Type } from '@nestjs/common';

import { SnsGateway } from './aws/sns-gateway.js';
import { SnsNotifications } from './aws/sns-notifications.js';
import type { ProviderKeys } from './capabilities/keys.js';
import type { EmailProvider, SmsProvider } from './capabilities/provider.js';
import type { ReadsReports } from './capabilities/reports.js';
import type { SesConnection } from './ses/ses-connection.js';
import { SesEmailProvider } from './ses/ses-email-provider.js';
import { sesKeys } from './ses/ses-keys.js';
import { SesRate } from './ses/ses-rate.js';
import { SesReports } from './ses/ses-reports.js';
import { sesSettings } from './ses/ses-settings.js';
import { SesTracking } from './ses/ses-tracking.js';
import type { SimulatedConnection } from './simulator/simulator-provider.js';
import { DEFAULT_SMS_PROVIDER, type SmsProviderName } from './sms/sms-providers.js';
import { SmsSection, type SmsProviders } from './sms/sms-settings.js';
import type { SmsSettingsDto } from './sms/sms-settings.dto.js';
import type { SmtpConnection } from './smtp/smtp-connection.js';
import { SmtpEmailProvider } from './smtp/smtp-email-provider.js';
import { smtpKeys } from './smtp/smtp-keys.js';
import { SmtpReports } from './smtp/smtp-reports.js';
import { smtpSettings } from './smtp/smtp-settings.js';
import { SnsAccount } from './sns/sns-account.js';
import type { SnsConnection } from './sns/sns-connection.js';
import { SnsReports } from './sns/sns-reports.js';
import { snsSettings } from './sns/sns-settings.js';
import { SnsSmsProvider } from './sns/sns-sms-provider.js';
import { TwilioApi } from './twilio/twilio-api.js';
import type { TwilioConnection } from './twilio/twilio-connection.js';
import { TwilioReports } from './twilio/twilio-reports.js';
import { twilioSettings } from './twilio/twilio-settings.js';
import { TwilioSmsProvider } from './twilio/twilio-sms-provider.js';

/** The email provider of an account, with its secrets in clear. */
export type EmailConnection = SmtpConnection | SesConnection | SimulatedConnection;
type RealConnection = Exclude<EmailConnection, SimulatedConnection>;

/** The SMS provider of an account, with its secrets in clear. */
export type SmsConnection = SnsConnection | TwilioConnection;

export type RegisteredEmail = EmailProvider<EmailConnection>;
export type RegisteredSms = SmsProvider<SmsConnection>;

export const EMAIL: readonly Type<RegisteredEmail>[] = [SmtpEmailProvider, SesEmailProvider];
export const SMS: readonly Type<RegisteredSms>[] = [SnsSmsProvider, TwilioSmsProvider];

/** The classes that read the posts of each provider, by the last part of their address. */
export const REPORT_READERS = {
  ses: SesReports,
  smtp: SmtpReports,
  sms: SnsReports,
  twilio: TwilioReports,
} satisfies Record<string, Type<ReadsReports>>;

/** Further classes for injection, on which those above depend. */
export const PARTS: readonly Type[] = [SesRate, SesTracking, SnsAccount, SnsGateway, SnsNotifications, TwilioApi];

export const KEYS: { [Kind in RealConnection['kind']]: ProviderKeys<Extract<RealConnection, { kind: Kind }>> } = {
  smtp: smtpKeys,
  ses: sesKeys,
};

const SMS_SETTINGS = { sns: snsSettings, twilio: twilioSettings } satisfies SmsProviders<SmsSettingsDto> &
  Record<SmsProviderName, unknown>;

/** The sections of the settings of an account. */
export const SECTIONS = {
  smtp: smtpSettings,
  ses: sesSettings,
  sms: new SmsSection<SmsSettingsDto>(SMS_SETTINGS, DEFAULT_SMS_PROVIDER),
};
