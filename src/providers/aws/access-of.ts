import type { AwsAccess } from '../../shared/aws-access.js';
import type { SesSettings } from '../../shared/account-settings.js';
import type { SecretBox } from '../../shared/ports/secret-box.js';

/** The access of the SES settings, which SMS uses, too. */
export function accessOf({ region, accessKeyId, sealedSecretAccessKey }: SesSettings, secrets: SecretBox): AwsAccess {
  if (accessKeyId === null || sealedSecretAccessKey === null) return { region, credentials: null };
  return { region, credentials: { accessKeyId, secretAccessKey: secrets.open(sealedSecretAccessKey) } };
}
