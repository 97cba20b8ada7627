import type { SesSettings } from '../../shared/account-settings.js';
import { DomainError } from '../../shared/domain-error.js';
import type { Seal, SettingsSection } from '../capabilities/settings.js';

/** Absent fields are kept, null clears. */
export interface SesChange {
  region?: string;
  configurationSet?: string | null;
  topicArn?: string | null;
  accessKeyId?: string | null;
  secretAccessKey?: string | null;
}

/** New settings need a region. A new access key id needs a new secret. */
export function changeSes(current: SesSettings | null, change: SesChange, seal: Seal): SesSettings {
  const region = change.region ?? current?.region;
  if (region === undefined) throw DomainError.invalid('ses.region is required');
  const accessKeyId = kept(change.accessKeyId, current?.accessKeyId);
  const keptSecret = accessKeyId === (current?.accessKeyId ?? null) ? current?.sealedSecretAccessKey : null;
  const settings = {
    region,
    configurationSet: kept(change.configurationSet, current?.configurationSet),
    topicArn: kept(change.topicArn, current?.topicArn),
    accessKeyId,
    sealedSecretAccessKey: kept(change.secretAccessKey && seal(change.secretAccessKey), keptSecret),
  };
  if ((accessKeyId === null) !== (settings.sealedSecretAccessKey === null)) {
    throw DomainError.invalid('ses.accessKeyId and ses.secretAccessKey are needed together');
  }
  return settings;
}

const kept = (change: string | null | undefined, current: string | null | undefined): string | null =>
  change === undefined ? (current ?? null) : change;

export const sesSettings: SettingsSection<SesSettings, SesChange> = {
  secrets: ['sealedSecretAccessKey'],
  channels: ['email', 'sms'], // whose access it is, too
  change: changeSes,
  faultOf: ({ emailProvider, ses }) => (emailProvider === 'ses' && !ses ? 'ses is required for SES' : null),
};
