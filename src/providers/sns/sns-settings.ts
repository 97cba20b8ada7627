import type { SmsSettings, StoredSettings } from '../../shared/account-settings.js';
import { DomainError } from '../../shared/domain-error.js';
import type { Seal, SmsProviderSettings } from '../capabilities/settings.js';

/** The stored fields of Amazon SNS in the section of SMS. */
export interface SnsFields {
  region: string;
  /** Shown instead of the number in countries that allow it. */
  senderId: string | null;
  /** The SNS topic to which replies are published. */
  topicArn: string | null;
  /** Verifies forwarded delivery receipts; sealed by the SecretBox. */
  sealedEventSigningKey: string | null;
}

/** Absent fields are kept, null clears. */
export interface SnsChange {
  region?: string;
  senderId?: string | null;
  topicArn?: string | null;
  eventSigningKey?: string | null;
}

const NO_FIELDS: SnsFields = { region: '', senderId: null, topicArn: null, sealedEventSigningKey: null };

/** The fields of SNS. The region is empty if the account has never used SNS. */
export const snsFieldsOf = (settings: SmsSettings): SnsFields => ({ ...NO_FIELDS, ...settings });

/** New settings need a region. */
function changeSns(current: SmsSettings | null, change: SnsChange, seal: Seal): SnsFields {
  const { region, senderId, topicArn, sealedEventSigningKey } = current ? snsFieldsOf(current) : NO_FIELDS;
  const changed = {
    region: change.region ?? region,
    senderId: change.senderId === undefined ? senderId : change.senderId,
    topicArn: change.topicArn === undefined ? topicArn : change.topicArn,
    sealedEventSigningKey:
      change.eventSigningKey === undefined
        ? sealedEventSigningKey
        : change.eventSigningKey && seal(change.eventSigningKey),
  };
  if (changed.region === '') throw DomainError.invalid('sms.region is required');
  return changed;
}

export const snsSettings: SmsProviderSettings<SmsSettings, SnsChange> = {
  fields: ['region', 'senderId', 'topicArn', 'eventSigningKey'],
  secrets: ['sealedEventSigningKey'],
  /** The initial SNS quota of an account for transactional messages ("SNS endpoints and quotas"). */
  initialRate: 20,
  change: changeSns,
  faultOf: (settings) =>
    settings.twoWay && snsFieldsOf(settings).topicArn === null ? 'sms.topicArn is needed for sms.twoWay' : null,
  accountOf: ({ sms, ses }: StoredSettings) => `${sms ? snsFieldsOf(sms).region : ''} ${ses?.accessKeyId ?? ''}`,
};
