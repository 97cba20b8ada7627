import type { SesSettings } from '../../shared/account-settings.js';

export class SesSettingsResponse {
  /** @example "eu-west-1" */
  region!: string;
  configurationSet!: string | null;

  /** The SNS topic to which SES publishes the account's events. */
  topicArn!: string | null;

  /** Null: the credentials of the process. */
  accessKeyId!: string | null;

  /** Whether a secret is stored; it is never returned. */
  secretAccessKeySet!: boolean;

  static from({ sealedSecretAccessKey, ...shown }: SesSettings): SesSettingsResponse {
    return { ...shown, secretAccessKeySet: sealedSecretAccessKey !== null };
  }
}
