import { isIP } from 'node:net';

import type { SmtpVendor } from '../../shared/account-provider.js';
import type { SmtpSettings } from '../../shared/account-settings.js';
import { DomainError } from '../../shared/domain-error.js';
import type { Seal, SettingsSection } from '../capabilities/settings.js';
import { faultOfSigningKey } from './vendors/event-signing-key.js';

/** Absent fields are kept, null clears. */
export interface SmtpChange {
  host?: string;
  port?: number;
  secure?: boolean;
  username?: string | null;
  password?: string | null;
  allowPlaintext?: boolean;
  vendor?: SmtpVendor;
  eventSigningKey?: string | null;
  maxSendRate?: number | null;
}

/**
 * New settings need a host and a port. A stored password is never sent to another host: a
 * new host without a password clears it, and the permission to send it without TLS. A new vendor without a signing key
 * clears the stored key.
 */
export function changeSmtp(current: SmtpSettings | null, change: SmtpChange, seal: Seal): SmtpSettings {
  const host = (change.host ?? current?.host)?.toLowerCase();
  const port = change.port ?? current?.port;
  if (host === undefined || port === undefined) {
    throw DomainError.invalid(`smtp.${host === undefined ? 'host' : 'port'} is required`);
  }
  const isSameHost = current !== null && host === current.host;
  const keptPassword = isSameHost ? current.sealedPassword : null;
  const vendor = change.vendor ?? current?.vendor ?? 'generic';
  // Absent in settings of earlier versions.
  const keptKey =
    vendor === current?.vendor ? ((current.sealedEventSigningKey as string | null | undefined) ?? null) : null;
  requireUsable(vendor, change.eventSigningKey);
  return {
    host,
    port,
    secure: change.secure ?? current?.secure ?? false,
    username: change.username === undefined ? (current?.username ?? null) : change.username,
    sealedPassword: change.password === undefined ? keptPassword : sealed(change.password, seal),
    allowPlaintext: change.allowPlaintext ?? ((isSameHost && current.allowPlaintext) || false),
    vendor,
    sealedEventSigningKey: change.eventSigningKey === undefined ? keptKey : sealed(change.eventSigningKey, seal),
    maxSendRate: change.maxSendRate === undefined ? (current?.maxSendRate ?? null) : change.maxSendRate,
  };
}

export const smtpSettings: SettingsSection<SmtpSettings, SmtpChange> = {
  secrets: ['sealedPassword', 'sealedEventSigningKey'],
  channels: ['email'],
  change: changeSmtp,
};

const sealed = (secret: string | null, seal: Seal): string | null => (secret === null ? null : seal(secret));

function requireUsable(vendor: SmtpVendor, key: string | null | undefined): void {
  const fault = key ? faultOfSigningKey(vendor, key) : null;
  if (fault !== null) throw DomainError.invalid(`smtp.eventSigningKey ${fault}`);
}

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/**
 * Whether the text is a host name, dotted or not, or an IP address, without a port. A numeric last label would be
 * parsed as part of an address.
 */
export function isRelayHost(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%');
  const labels = text.split('.');
  return (
    text.length <= MAX_HOST_LENGTH &&
    labels.every((label) => LABEL.test(label)) &&
    !/^(\d+|0x.*)$/i.test(labels.at(-1) ?? '')
  );
}
