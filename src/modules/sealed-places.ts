import { SEALED_DKIM_KEYS } from './domains/infrastructure/sealed-dkim-keys.js';
import { SEALED_ADDRESSES } from './erasure/infrastructure/sealed-addresses.js';
import { SEALED_SETTINGS } from './provider-settings/infrastructure/sealed-settings.js';
import { SEALED_WEBHOOK_SECRETS } from './webhooks/infrastructure/sealed-webhook-secrets.js';
import type { SealedPlace } from '../platform/crypto/seal-anew.js';

/** Everything that the modules store sealed with APP_SECRET. */
export const SEALED_PLACES: readonly SealedPlace[] = [
  ...SEALED_SETTINGS,
  ...SEALED_WEBHOOK_SECRETS,
  ...SEALED_DKIM_KEYS,
  ...SEALED_ADDRESSES,
];
