import type { SmsSettings } from '../../../shared/account-settings.js';
import { DomainError } from '../../../shared/domain-error.js';
import { normalisePhone } from '../../../shared/phone-number.js';

/** Absent fields are kept, null clears. */
export interface SmsChange {
  enabled?: boolean;
  region?: string;
  originationNumber?: string | null;
  senderId?: string | null;
  twoWay?: boolean;
  topicArn?: string | null;
  maxSendRate?: number;
  eventSigningKey?: string | null;
}

/** The initial SNS quota of an account for transactional messages ("SNS endpoints and quotas"). */
const DEFAULT_RATE = 20;
const SHORT_CODE = /^\d{5,6}$/;

/** Returns the changed settings. New settings need a region. */
export function changeSms(
  current: SmsSettings | null,
  change: SmsChange,
  seal: (plain: string) => string,
): SmsSettings {
  const region = change.region ?? current?.region;
  if (region === undefined) throw DomainError.invalid('sms.region is required');
  const number = change.originationNumber ?? null;
  const settings = {
    enabled: change.enabled ?? current?.enabled ?? false,
    region,
    originationNumber:
      change.originationNumber === undefined ? (current?.originationNumber ?? null) : parseNumber(number),
    senderId: change.senderId === undefined ? (current?.senderId ?? null) : change.senderId,
    twoWay: change.twoWay ?? current?.twoWay ?? false,
    topicArn: change.topicArn === undefined ? (current?.topicArn ?? null) : change.topicArn,
    maxSendRate: change.maxSendRate ?? current?.maxSendRate ?? DEFAULT_RATE,
    sealedEventSigningKey:
      change.eventSigningKey === undefined
        ? (current?.sealedEventSigningKey ?? null)
        : change.eventSigningKey && seal(change.eventSigningKey),
  };
  if (settings.twoWay && settings.topicArn === null) throw DomainError.invalid('sms.topicArn is needed for sms.twoWay');
  return settings;
}

function parseNumber(text: string | null): string | null {
  if (text === null) return null;
  const number = SHORT_CODE.test(text) ? text : normalisePhone(text);
  if (number !== null) return number;
  throw DomainError.invalid(
    'sms.originationNumber must be a phone number in E.164 format or of 10 digits (US), or a short code',
  );
}
