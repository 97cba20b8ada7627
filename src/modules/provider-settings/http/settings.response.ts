import { ApiProperty } from '@nestjs/swagger';

import {
  DeliveryStateResponse,
  SesSettingsResponse,
  SmsSettingsResponse,
  SmtpSettingsResponse,
} from '../../../providers/index.js';
import { type Warning, WARNING_CODES } from '../../../config/warnings.js';
import { EMAIL_PROVIDERS, type EmailProviderKind, TRACKING, type Tracking } from '../../../shared/account-provider.js';
import {
  CONSENT_REQUIREMENTS,
  type ConsentRequirement,
  TRACKING_CONSENTS,
  type TrackingConsent,
} from '../../../shared/account-settings.js';
import type { ShownSettings } from '../application/show-settings.service.js';

class CanSendResponse {
  /** Whether an SMTP relay (the account's or the installation's) or SES is configured. */
  email!: boolean;

  /** Whether SMS is enabled and has an origination number. */
  sms!: boolean;
}

class BrandingResponse {
  /** Null: the pages show the account's name. */
  logoUrl!: string | null;

  /** `#rrggbb`; null: the color of the service. */
  color!: string | null;
}

class ConsentSettingsResponse {
  /** What is sent only to those with a standing consent to marketing. */
  @ApiProperty({ enum: CONSENT_REQUIREMENTS })
  requiredFor!: ConsentRequirement;
}

export class SettingsResponse {
  /** @example "Example" */
  accountName!: string;

  /**
   * Messages per UTC calendar day, over all channels and keys.
   * @example 1000
   */
  dailySendCap!: number;

  /**
   * Percent of the daily cap. Once this much of it is used, campaigns wait for the next UTC day.
   * @example 90
   */
  @ApiProperty({ type: 'integer' })
  campaignCapShare!: number;

  @ApiProperty({ enum: EMAIL_PROVIDERS })
  emailProvider!: EmailProviderKind;

  /** Who counts opens and clicks: this service, the provider, or nobody. */
  @ApiProperty({ enum: TRACKING })
  tracking!: Tracking;

  /** Whether opens and clicks are recorded only of those with a standing consent to tracking. */
  @ApiProperty({ enum: TRACKING_CONSENTS })
  trackingConsent!: TrackingConsent;

  /** The looks of the account's public pages. */
  branding!: BrandingResponse;

  consent!: ConsentSettingsResponse;

  /** The account's relay; null: email is sent through the installation's relay, if it has one. */
  smtp!: SmtpSettingsResponse | null;
  ses!: SesSettingsResponse | null;

  /** Null: the account cannot send SMS. */
  sms!: SmsSettingsResponse | null;

  /** Whether a provider is configured. Without one, messages are accepted and wait. */
  canSend!: CanSendResponse;

  /** Deliveries are paused while the provider refuses all of the account's email. */
  delivery!: DeliveryStateResponse;

  /** What the operator of the installation should change. */
  @ApiProperty({ enum: WARNING_CODES, isArray: true })
  warnings!: Warning[];

  static from({ account, canSend, pauses, smsStatus }: ShownSettings, warnings: readonly Warning[]): SettingsResponse {
    const { name, dailySendCap, campaignCapShare, emailProvider, tracking, trackingConsent, consentRequiredFor } =
      account;
    const { logoUrl, brandColor: color, smtp, ses, sms } = account;
    return {
      accountName: name,
      dailySendCap,
      campaignCapShare,
      emailProvider,
      tracking,
      trackingConsent,
      branding: { logoUrl, color },
      consent: { requiredFor: consentRequiredFor },
      smtp: smtp && SmtpSettingsResponse.from(smtp),
      ses: ses && SesSettingsResponse.from(ses),
      sms: sms && SmsSettingsResponse.from(sms, smsStatus, pauses.sms),
      canSend,
      delivery: DeliveryStateResponse.from(pauses.email),
      warnings: [...warnings],
    };
  }
}
